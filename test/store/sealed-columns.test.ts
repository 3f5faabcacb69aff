import { expect, test } from 'bun:test'
import { SEALED } from '../../src/store/sealed.ts'

/** What an earlier release sealed has to be read by this one, so none of it may change. */
test('Each sealed column has the place, the purpose and the context with which earlier releases sealed it.', () => {
  const row = { id: 5, project_id: 7, domain: 'a.example', selector: 'mh1', recipient: 'b@c.example', user_id: 'usr_1' }
  const told = Object.entries(SEALED).map(([name, { table, column, purpose, reads, context }]) => [
    name,
    `${table}.${column}`,
    purpose,
    reads.join(' '),
    // A column reads what it declares.
    context(Object.fromEntries(reads.map((read) => [read, row[read]])) as never),
  ])
  expect(told).toEqual([
    ['relay_password', 'connections.password_sealed', 'credentials', 'project_id', 'connection:7'],
    ['webhook_secret', 'connections.webhook_secret_sealed', 'credentials', 'project_id', 'webhook:7'],
    ['webhook_token', 'connections.webhook_token_sealed', 'credentials', 'id', 'webhook-token:5'],
    [
      ...['dkim_key', 'dkim_keys.private_key_sealed', 'credentials'],
      ...['project_id domain selector', 'dkim:7:a.example:mh1'],
    ],
    ['account_message', 'account_messages.content_sealed', 'account-message', 'recipient', 'message:b@c.example'],
    ['totp_secret', 'totp_factors.secret_sealed', 'totp', 'user_id', 'usr_1'],
  ])
})
