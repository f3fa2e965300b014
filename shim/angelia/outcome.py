# SPDX-License-Identifier: Apache-2.0
"""What became of a turn (docs/link.md, section 5; hermes-surface 4.6)."""

from __future__ import annotations

from typing import Any

from .admissions import Admission, Delivery, RequestError


def is_parked(admission: Admission) -> bool:
    """Tell whether Hermes only put the turn aside in its start-up window.

    It hands the same event in again by itself.
    """
    return not admission.dispatched and not admission.entered and admission.delivery is Delivery.SUCCESS


def outcome_of(admission: Admission, *, draining: bool) -> str:
    """Judge an ended turn by the first rule that fits.

    Args:
        admission: the turn, after its task has ended.
        draining: Hermes refuses turns now.

    Returns:
        `withdrawn`, `not_started`, `cancelled`, `completed` or `failed`.
    """
    if admission.withdrawn:
        return "withdrawn"
    if not admission.started and (not admission.dispatched or draining or admission.delivery is Delivery.CANCELLED):
        return "not_started"
    if admission.delivery is Delivery.CANCELLED or admission.interrupted:
        return "cancelled"
    handled = admission.command and not admission.entered
    answered = admission.completed and not admission.failed_last
    return "completed" if (handled or answered) and not _undelivered(admission) else "failed"


def ended_fields(admission: Admission, *, draining: bool) -> dict[str, Any]:
    """Return the fields of the `ended` event."""
    fields: dict[str, Any] = {
        "admission": admission.id,
        "outcome": outcome_of(admission, draining=draining),
        "flags": {
            "dispatched": admission.dispatched,
            "started": admission.started,
            "completed": admission.completed,
            "interrupted": admission.interrupted,
        },
        "usage": [
            {
                "provider": provider,
                "model": model,
                "input": usage.input,
                "output": usage.output,
                "cache_read": usage.cache_read,
                "cache_write": usage.cache_write,
                "requests": usage.requests,
            }
            for (provider, model), usage in admission.usage.items()
        ],
    }
    if fields["outcome"] == "failed":
        error = _error_of(admission)
        fields["error"] = {"status": error.status, "reason": error.reason}
    return fields


def _undelivered(admission: Admission) -> bool:
    """Hermes had something to say and none of it reached the chat: an exception after the answer, or media alone."""
    return admission.delivery is Delivery.FAILURE and not admission.handles


def _error_of(admission: Admission) -> RequestError:
    if admission.failed_last and admission.last_error is not None:
        return admission.last_error
    if not admission.entered and not admission.command:
        return RequestError(None, "no_model_request")
    return RequestError(None, "not_delivered" if _undelivered(admission) else "unknown")
