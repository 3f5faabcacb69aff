/** What the system says of a relay that it cannot reach or understand, and what that means. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  // Of an address in a private network the service says only this (src/mail/smtp-session.ts).
  [/^The server could not be reached\.$/, 'No mail server answers at this host and port. Are both right?'],
  [/ECONNREFUSED/, 'Nothing answers at this host and port. Is the port right?'],
  [/ETIMEDOUT|timed? ?out|silent/i, 'The server does not answer. Is the port right, or is there a firewall between?'],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/, 'There is no server of this name. Is the host spelled right?'],
  [/EHOSTUNREACH|ENETUNREACH/, 'No way leads to this server from here.'],
  [
    /wrong version number|SSL routines|packet length too long/i,
    'The server answers without TLS. Choose another encryption.',
  ],
  [/certificate|self.signed/i, 'The certificate of the server is not valid for this host.'],
  [/^(?:Error: )?535\b/, 'The server refused the user name or the password.'],
]

/** The meaning of the words of a relay or of the system, or null where they speak for themselves. */
export function relayMeaning(words: string): string | null {
  return MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}
