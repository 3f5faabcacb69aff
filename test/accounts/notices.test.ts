import { expect, test } from 'bun:test'
import {
  MESSAGES_PER_DAY,
  messagesOfDay,
  NOTICES_PER_HOUR,
  queueNotice,
  requireFewMessages,
} from '../../src/accounts/notices.ts'
import { DAY_MS, HOUR_MS } from '../../src/clock.ts'
import type { MessageKind } from '../../src/store/tables/accounts.ts'
import { queuedFor, senderAt } from '../support/queued-mail.ts'
import { NOW, sharedStore, write } from '../support/shared-store.ts'

const PARTS = { subject: 'Told', paragraphs: ['Something happened.'], closing: 'That is all.' }
const tell = (kind: MessageKind, recipients: string[], after_ms = 0) =>
  write((tx) => queueNotice(tx, senderAt(after_ms), { kind, recipients }, PARTS))
const refusalOf = (kind: keyof typeof MESSAGES_PER_DAY, email: string, now: number) =>
  write((tx) => requireFewMessages(tx, kind, email, now)).then(
    () => null,
    ({ code, headers }: { code: string; headers: Record<string, string> }) => [code, headers['Retry-After']],
  )

test('A notice is queued for each address, and is of no use a day later.', async () => {
  await tell('app_notice', ['one@notices.example', 'two@notices.example'], 7)
  for (const email of ['one@notices.example', 'two@notices.example'])
    expect(await queuedFor(email)).toMatchObject([
      { kind: 'app_notice', subject: 'Told', expires_at: NOW + 7 + DAY_MS },
    ])
})

test('An address gets thirty notices of a kind within an hour, and others go on.', async () => {
  for (let count = 0; count <= NOTICES_PER_HOUR; count++) await tell('app_notice', ['many@notices.example'])
  const got = async () => (await queuedFor('many@notices.example')).length
  expect(await got()).toBe(NOTICES_PER_HOUR)
  await tell('security_notice', ['many@notices.example', 'few@notices.example'])
  await tell('app_notice', ['many@notices.example', 'few@notices.example'], HOUR_MS - 1)
  expect([await got(), (await queuedFor('few@notices.example')).length]).toEqual([NOTICES_PER_HOUR + 1, 2])
  await tell('app_notice', ['many@notices.example'], HOUR_MS)
  expect(await got()).toBe(NOTICES_PER_HOUR + 2)
})

test('A mailbox gets a few messages a day because others name it, with any tag and in any spelling.', async () => {
  const at = (after_ms: number, email: string) => tell('email_change', [email], after_ms)
  await at(0, 'nora@nötices.example')
  for (let count = 1; count < MESSAGES_PER_DAY.email_change; count++)
    await at(count * HOUR_MS, `Nora+${count}@xn--ntices-wxa.example`)
  const last = NOW + 4 * HOUR_MS
  expect(await refusalOf('email_change', 'NORA+x@NÖTICES.example', last)).toEqual(['RATE_LIMITED', '72000'])
  expect(await refusalOf('email_change', 'nora@nötices.example', NOW + DAY_MS - 1)).toEqual(['RATE_LIMITED', '1'])
  expect(await refusalOf('email_change', 'nora@nötices.example', NOW + DAY_MS)).toBeNull()
  expect(await refusalOf('invitation', 'nora@nötices.example', last)).toBeNull()
  for (const email of ['eleanora@nötices.example', 'nora@other-notices.example'])
    expect(await refusalOf('email_change', email, last)).toBeNull()
  const { db } = await sharedStore()
  const found = await messagesOfDay(db, 'email_change', 'nora@nötices.example', last)
  expect(found.map(({ created_at }) => created_at - NOW)).toEqual([0, 1, 2, 3, 4].map((hours) => hours * HOUR_MS))
})
