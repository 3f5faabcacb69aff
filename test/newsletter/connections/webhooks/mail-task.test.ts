import { expect, test } from 'bun:test'
import { readMailAside } from '../../../../src/newsletter/connections/webhooks/mail-task.ts'
import { TaskTimeout } from '../../../../src/threads/heavy.ts'
import type { Reader, Store } from '../../../../src/store/open.ts'

const aside: Pick<Store, 'heavyTask'> = { heavyTask: (task, input) => task.run({} as Reader, input) }
const bounce = (more: string) =>
  Buffer.from(
    'Content-Type: multipart/report; boundary=a\r\n\r\n--a\r\nContent-Type: message/delivery-status\r\n\r\n' +
      `\r\nFinal-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n${more}\r\n--a--\r\n`,
  )
const refusal = (message: Buffer, store = aside) => readMailAside(store, message).catch((error: unknown) => error)
const FILLER = `\r\n--a\r\nContent-Type: text/plain\r\n\r\n${'tides '.repeat(10_000)}`

test('A large message is read on another thread as a small one is here.', async () => {
  const small = await readMailAside(aside, bounce(''))
  expect(small).toMatchObject([{ kind: 'hard_bounce', email: 'a@b.example' }])
  const [large] = await readMailAside(aside, bounce(FILLER))
  expect(large).toMatchObject({ kind: 'hard_bounce', email: 'a@b.example' })
})

test('A message has at most 1,000 reports.', async () => {
  const one = '\r\nFinal-Recipient: rfc822; b@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n'
  expect(await readMailAside(aside, bounce(one.repeat(1500)))).toHaveLength(1000)
})

test('A message with headers of more than a megabyte, or that takes too long to read, is refused.', async () => {
  expect(await refusal(Buffer.from('{'.repeat(3_000_000)))).toMatchObject({ code: 'VALIDATION_FAILED' })
  const slow = { heavyTask: async () => Promise.reject(new TaskTimeout('read_mail')) }
  expect(await refusal(bounce(FILLER), slow)).toMatchObject({ code: 'VALIDATION_FAILED' })
})
