// SPDX-License-Identifier: Apache-2.0

/** Every error that Angelia can name. The value is the code that logs, health and the admin interface show. */
export enum ErrorCode {
  ActionCapacity = 'action_capacity',
  ActionRefused = 'action_refused',
  ActionTimeout = 'action_timeout',
  AdminTokenRefused = 'admin_token_refused',
  AgentDisabled = 'agent_disabled',
  BridgeUnreachable = 'bridge_unreachable',
  CommandRefused = 'command_refused',
  ConfigInvalid = 'config_invalid',
  ConfirmationMissing = 'confirmation_missing',
  ConnectionLost = 'connection_lost',
  CredentialLocked = 'credential_locked',
  CredentialMissing = 'credential_missing',
  CredentialRefused = 'credential_refused',
  FrameMalformed = 'frame_malformed',
  FrameTooLarge = 'frame_too_large',
  HermesSettingWrong = 'hermes_setting_wrong',
  HermesStartRefused = 'hermes_start_refused',
  HostRefused = 'host_refused',
  IdentityInvalid = 'identity_invalid',
  IntakePaused = 'intake_paused',
  Internal = 'internal',
  LaneBusy = 'lane_busy',
  LaneNotQuarantined = 'lane_not_quarantined',
  LaneUnknown = 'lane_unknown',
  LedgerClosed = 'ledger_closed',
  LedgerCorrupt = 'ledger_corrupt',
  LedgerIdentityMismatch = 'ledger_identity_mismatch',
  LedgerMode = 'ledger_mode',
  LedgerNotDurable = 'ledger_not_durable',
  LedgerTooNew = 'ledger_too_new',
  LedgerWriteFailed = 'ledger_write_failed',
  LinkBodyTooLarge = 'link_body_too_large',
  LinkDetached = 'link_detached',
  LinkProofInvalid = 'link_proof_invalid',
  LinkProtocolUnsupported = 'link_protocol_unsupported',
  LinkRequestInvalid = 'link_request_invalid',
  LinkSessionUnknown = 'link_session_unknown',
  LinkShimAlreadyAttached = 'link_shim_already_attached',
  MessageRefused = 'message_refused',
  ModelFailed = 'model_failed',
  NotOnline = 'not_online',
  PeerProtocolClose = 'peer_protocol_close',
  ProfileLocked = 'profile_locked',
  ProtocolError = 'protocol_error',
  ReceiptNotQuarantined = 'receipt_not_quarantined',
  ReceiptUnknown = 'receipt_unknown',
  RedirectRefused = 'redirect_refused',
  RequestInvalid = 'request_invalid',
  RequestTooLarge = 'request_too_large',
  RouteUnknown = 'route_unknown',
  ScopeMissing = 'scope_missing',
  SecretFileMode = 'secret_file_mode',
  ServerUnreachable = 'server_unreachable',
  SessionResetRefused = 'session_reset_refused',
  SettingsUnknown = 'settings_unknown',
  TargetUnsettled = 'target_unsettled',
  TurnInterrupted = 'turn_interrupted',
}

/** One sentence for each code, for people. It never holds content or secrets; what varies stands in `details`. */
export const ERROR_SENTENCES: Readonly<Record<ErrorCode, string>> = {
  [ErrorCode.ActionCapacity]: 'Too many actions are waiting for the chat server.',
  [ErrorCode.ActionRefused]: 'The chat server refused the action.',
  [ErrorCode.ActionTimeout]: 'The chat server did not answer the action in time; its outcome is unknown.',
  [ErrorCode.AdminTokenRefused]: 'The admin token is missing or wrong; it stands in the state folder of the bridge.',
  [ErrorCode.AgentDisabled]: 'The chat server has disabled this agent or revoked its key; intake is stopped.',
  [ErrorCode.BridgeUnreachable]: 'No running bridge answers for this profile.',
  [ErrorCode.CommandRefused]: 'This command is not available from a channel.',
  [ErrorCode.ConfigInvalid]: 'A configuration key has an invalid value.',
  [ErrorCode.ConfirmationMissing]:
    'A requeue may cause effects twice; it needs confirm_duplicate_side_effect_risk: true.',
  [ErrorCode.ConnectionLost]: 'The connection to the chat server was lost; what it had not answered may have happened.',
  [ErrorCode.CredentialLocked]: 'Another bridge on this machine already serves this agent key.',
  [ErrorCode.CredentialMissing]:
    'No agent key: set BORGEE_API_KEY in the environment of the service or in the .env of the profile.',
  [ErrorCode.CredentialRefused]: 'The chat server refused the agent key.',
  [ErrorCode.FrameMalformed]: 'A frame of the chat server could not be understood and was set aside.',
  [ErrorCode.FrameTooLarge]: 'A frame is larger than its limit.',
  [ErrorCode.HermesSettingWrong]: 'A setting of Hermes is not as the bridge needs it.',
  [ErrorCode.HermesStartRefused]: 'Hermes did not take the turn.',
  [ErrorCode.HostRefused]:
    'The admin interface answers only requests of this machine: Host or Origin is a foreign one.',
  [ErrorCode.IdentityInvalid]: 'The chat server says that this key does not belong to the configured agent.',
  [ErrorCode.IntakePaused]: 'The operator has paused the intake; the chat server is not connected.',
  [ErrorCode.Internal]: 'An unexpected error; the log has its ids.',
  [ErrorCode.LaneBusy]: 'A turn of this lane still runs in Hermes; decide when it has ended, or stop it first.',
  [ErrorCode.LaneNotQuarantined]: 'No receipt of this lane is quarantined.',
  [ErrorCode.LaneUnknown]: 'There is no such lane.',
  [ErrorCode.LedgerClosed]: 'The ledger is closed.',
  [ErrorCode.LedgerCorrupt]:
    'The ledger file is damaged; nothing is acknowledged. Restore it from a backup or move it away.',
  [ErrorCode.LedgerIdentityMismatch]: 'The ledger belongs to another origin or agent.',
  [ErrorCode.LedgerMode]: 'The ledger or its folder can be read by others or belongs to another user.',
  [ErrorCode.LedgerNotDurable]: 'The database does not run with synchronous=FULL; a power cut could lose receipts.',
  [ErrorCode.LedgerTooNew]:
    'The ledger was written by a newer version of Angelia; install that version again or restore an older ledger.',
  [ErrorCode.LedgerWriteFailed]: 'The ledger cannot be written; intake is stopped until a write succeeds.',
  [ErrorCode.LinkBodyTooLarge]: 'A request of the shim is larger than its limit.',
  [ErrorCode.LinkDetached]: 'The Hermes gateway is not attached.',
  [ErrorCode.LinkProofInvalid]: 'The shim did not prove that it knows the secret of the link file.',
  [ErrorCode.LinkProtocolUnsupported]:
    'Bridge and shim speak different versions of the link; install the matching shim.',
  [ErrorCode.LinkRequestInvalid]: 'A request of the shim does not follow the link protocol.',
  [ErrorCode.LinkSessionUnknown]: 'The session of the link is unknown; the shim has to attach again.',
  [ErrorCode.LinkShimAlreadyAttached]: 'Another Hermes process is attached to this bridge.',
  [ErrorCode.MessageRefused]: 'The chat server refused the message.',
  [ErrorCode.ModelFailed]: 'The model request failed.',
  [ErrorCode.NotOnline]: 'The chat server is not connected.',
  [ErrorCode.PeerProtocolClose]: 'The chat server closed the connection because of a protocol error.',
  [ErrorCode.ProfileLocked]: 'Another bridge already serves this Hermes profile.',
  [ErrorCode.ProtocolError]: 'An answer of the chat server does not follow the protocol.',
  [ErrorCode.ReceiptNotQuarantined]: 'Only a quarantined receipt can be discarded or requeued.',
  [ErrorCode.ReceiptUnknown]: 'There is no such receipt.',
  [ErrorCode.RedirectRefused]: 'The chat server answered with a redirect; set base_url to the address it points to.',
  [ErrorCode.RequestInvalid]: 'A field of the request is missing or has an invalid value.',
  [ErrorCode.RequestTooLarge]: 'The body of the request is larger than its limit.',
  [ErrorCode.RouteUnknown]: 'There is no such page; GET /api/v1/openapi.json lists them.',
  [ErrorCode.ScopeMissing]: 'This token does not allow that.',
  [ErrorCode.SecretFileMode]: 'A secret file can be read by others; set its mode to 0600.',
  [ErrorCode.ServerUnreachable]: 'The chat server cannot be reached; the bridge keeps trying.',
  [ErrorCode.SessionResetRefused]: 'Hermes did not reset the session of the lane; nothing was decided.',
  [ErrorCode.SettingsUnknown]:
    'No settings are known yet: start Hermes once with the shim so that the bridge learns them.',
  [ErrorCode.TargetUnsettled]: 'The message to change was never confirmed by the chat server.',
  [ErrorCode.TurnInterrupted]: 'The turn was interrupted before it had finished.',
};

/** Facts about an error that may be logged: ids, key names, numbers and codes; never content, never secrets. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** The one error class of Angelia. */
export class AngeliaError extends Error {
  /**
   * @param code what happened
   * @param details facts that may be logged
   * @param cause the error underneath, if any; its text is never shown to a chat
   */
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
    cause?: unknown,
  ) {
    super(describe(code, details), cause === undefined ? undefined : { cause });
    this.name = 'AngeliaError';
  }
}

/** The sentence of a code with its details appended as `key=value`. */
function describe(code: ErrorCode, details: ErrorDetails): string {
  const facts = Object.entries(details).map(([key, value]) => `${key}=${String(value)}`);
  return facts.length === 0 ? ERROR_SENTENCES[code] : `${ERROR_SENTENCES[code]} (${facts.join(', ')})`;
}

/** The code of any thrown value: its own, or `internal`. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof AngeliaError ? error.code : ErrorCode.Internal;
}
