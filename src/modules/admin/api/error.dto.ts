// SPDX-License-Identifier: Apache-2.0
import type { ErrorDetails } from '../../../common/errors.js';
import { Field } from '../openapi/field.js';

/** Every error of the admin interface. */
export class ErrorAnswer {
  @Field({ description: 'Stable code, for programs.', example: 'receipt_not_quarantined' })
  readonly code!: string;

  @Field({
    description: 'The same for people.',
    example: 'Only a quarantined receipt can be discarded or requeued.',
  })
  readonly sentence!: string;

  @Field({
    description: 'What varies: ids, names of fields, numbers and codes; never content.',
    type: 'map',
    example: { ingest_seq: 1042, state: 'completed' },
  })
  readonly details!: ErrorDetails;
}
