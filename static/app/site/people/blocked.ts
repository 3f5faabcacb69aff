/** Why a confirmation message cannot be sent now. */
export const BLOCKED = {
  no_connection: 'no connection is set up',
  connection_untested: 'the connection was not tested',
  no_sender: 'no sender is set',
  limit: 'the limit of the connection is reached',
  held: 'the connection is held back',
} as const
