// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Connection } from '../state/chat-state.js';

/** Says when what is shown may be old, and until when. The words for screen readers do not count the seconds. */
export function ConnectionBar({ connection, onRetry }: { connection: Connection; onRetry: () => void }): VNode {
  const { kind } = connection;
  return (
    <div class="connection" data-state={kind} role="status">
      {kind === 'lost' && (
        <>
          <span>
            Connection lost. <Countdown until={connection.retryAt} />
          </span>
          <button type="button" class="button button-quiet" onClick={onRetry}>
            Try now
          </button>
        </>
      )}
      {kind === 'connecting' && <span>Connecting…</span>}
      {kind === 'catching-up' && <span>Catching up…</span>}
    </div>
  );
}

/** Seconds to the next dial. */
function Countdown({ until }: { until: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return <span aria-hidden="true">Trying again in {seconds} s.</span>;
}
