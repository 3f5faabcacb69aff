import { expect, test } from 'bun:test'
import {
  type Notice,
  notifyUser,
  PASSKEY_ADDED,
  PASSKEY_REMOVED,
  RECOVERY_CODES_NEW,
  TOTP_OFF,
  TOTP_ON,
} from '../../src/accounts/security-notices.ts'
import { queuedFor, senderAt } from '../support/queued-mail.ts'
import { newUser, write } from '../support/shared-store.ts'

const NOTICES: [Notice, string, string][] = [
  [TOTP_ON, 'One-time codes were turned on', 'now asks for a code'],
  [TOTP_OFF, 'One-time codes were turned off', 'no longer asks for a code'],
  [RECOVERY_CODES_NEW, 'New recovery codes were made', 'The earlier recovery codes of your account no longer work.'],
  [PASSKEY_ADDED('My phone'), 'A passkey was added', 'The passkey “My phone” now opens your account.'],
  [PASSKEY_REMOVED('My phone'), 'A passkey was removed', 'The passkey “My phone” no longer opens your account.'],
]

test('A change of the ways to sign in tells the user what happened, and where to act on it.', async () => {
  const email = 'told@security.example'
  const [user_id] = [await newUser({ email }), await newUser()]
  for (const [notice] of NOTICES) await write((tx) => notifyUser(tx, senderAt(), user_id, notice))
  const told = await queuedFor(email)
  expect(told.map(({ kind, subject }) => [kind, subject])).toEqual(
    NOTICES.map(([, subject]) => ['security_notice', subject]),
  )
  for (const [index, { text }] of told.entries()) {
    const links = ['https://masthead.example/portal/reset', 'https://masthead.example/portal/account/security']
    for (const part of ['your account at masthead.example.', NOTICES[index]![2], ...links]) expect(text).toContain(part)
  }
})

test('A notice names the service with its port.', async () => {
  const email = 'port@security.example'
  const user_id = await newUser({ email })
  const sender = { ...senderAt(), base_url: 'https://masthead.example:8443' }
  await write((tx) => notifyUser(tx, sender, user_id, TOTP_ON))
  expect((await queuedFor(email))[0]!.text).toContain('your account at masthead.example:8443.')
})
