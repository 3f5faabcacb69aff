import { expect, test } from 'bun:test'
import { answerLine, failure, isRefusal, type SmtpStage } from '../../src/mail/smtp-outcome.ts'

type Given = Parameters<typeof failure>[0]
/** What an answer of the server means, or an error without one. */
const after = (given: object, during: SmtpStage = 'envelope') =>
  failure(Object.assign(new Error('lost'), given) as Given, during)
const answered = (response: string, command = 'RCPT TO') =>
  after({ response, responseCode: Number(response.slice(0, 3)), command })

test('A refusal of the recipient is permanent from 500 on and temporary below.', () => {
  expect(answered('550 5.1.1 No such user')).toEqual({
    kind: 'permanent',
    scope: 'recipient',
    stage: 'rcpt',
    code: 550,
    enhanced: '5.1.1',
    message: '550 5.1.1 No such user',
    bad_address: true,
  })
  expect(answered('499 later')).toMatchObject({ kind: 'temporary', code: 499, scope: 'recipient' })
  expect(answered('500 no')).toMatchObject({ kind: 'permanent', code: 500 })
  expect([399, 400, 599, 600, undefined].map(isRefusal)).toEqual([false, true, true, false, false])
  expect(after({ responseCode: 250, response: '250 ok' })).toMatchObject({ kind: 'temporary', code: undefined })
})

test('Only some answers to RCPT say that the address is bad.', () => {
  const isBad = (response: string, command?: string) =>
    (answered(response, command) as { bad_address?: boolean }).bad_address
  for (const response of ['550 5.1.1 x', '550 5.1.10 x', '550 5.2.1 x', '550 5.1.6 x'])
    expect([response, isBad(response)]).toEqual([response, true])
  for (const response of [
    '550 5.1.7 x',
    '550 5.1.8 x',
    '550 5.2.2 x',
    '550 5.7.1 x',
    '550 no',
    '550 5.1.1 Sender address rejected',
    '550 5.1.1 sender is not allowed',
    '550 5.1.2 <ada@example.com>: Relay access denied',
    '550 5.1.0 We do not relay',
    '553 5.1.3 not in my list of allowed rcpthosts',
  ])
    expect([response, isBad(response)]).toEqual([response, false])
  expect(isBad('550 5.1.1 x', 'DATA')).toBe(false)
  expect(isBad('550 5.1.1 <relay@sender.example>: unknown')).toBe(true)
})

test('An enhanced code has the class of the answer, and is no part of an IP address.', () => {
  const enhanced = (response: string) => answered(response).enhanced
  expect(enhanced('550-5.7.1 blocked')).toBe('5.7.1')
  expect(enhanced('550 4.7.1 x')).toBeUndefined()
  expect(enhanced('550 see 5.1.1.9')).toBeUndefined()
  expect(enhanced('550 from 15.1.1')).toBeUndefined()
  expect(enhanced('550 5.1.1234')).toBeUndefined()
  expect(after({ response: '5.1.1 x' }).enhanced).toBeUndefined()
})

test('Answers about this client say nothing about the recipient.', () => {
  for (const code of [421, 432, 454]) expect(answered(`${code} later`).scope).toBe('connection')
  for (const code of [503, 530, 534, 535, 538]) {
    expect([code, answered(`${code} no`, 'MAIL FROM').scope]).toEqual([code, 'connection'])
    expect([code, answered(`${code} no`, 'RCPT TO').scope]).toEqual([code, 'recipient'])
  }
  expect(answered('550 no', 'MAIL FROM')).toMatchObject({ scope: 'recipient', stage: 'mail' })
  expect(answered('554 no', 'DATA')).toMatchObject({ scope: 'recipient', stage: 'data' })
  expect(answered('554 no', 'EHLO')).toMatchObject({ scope: 'connection', stage: 'greeting', kind: 'permanent' })
  expect(answered('554 no', 'HELO').stage).toBe('greeting')
  expect(answered('554 no', 'STARTTLS').stage).toBe('tls')
})

test('The stage is that of the command, or else the one that was under way.', () => {
  expect(after({ code: 'ETLS' }).stage).toBe('tls')
  expect(after({ timeoutType: 'UPGRADE_TIMEOUT' }).stage).toBe('tls')
  expect(after({ originalCode: 'CERT_HAS_EXPIRED', command: 'CONN' }, 'connect').stage).toBe('tls')
  expect(after({ originalCode: 'ECONNRESET' }).stage).toBe('envelope')
  expect(after({ timeoutType: 'GREETING_TIMEOUT' }, 'connect').stage).toBe('greeting')
  expect(after({ command: 'CONN', responseCode: 554, response: '554 no' }, 'connect').stage).toBe('greeting')
  expect(after({ command: 'CONN' }, 'connect').stage).toBe('connect')
  expect(after({ command: 'CONN', responseCode: 554 }, 'auth').stage).toBe('auth')
  expect(after({}, 'auth')).toMatchObject({ scope: 'connection', message: 'lost', kind: 'temporary' })
})

test('The words of another service are not repeated.', () => {
  const foreign = { code: 'EPROTOCOL', command: 'CONN' }
  expect(after({ ...foreign, response: 'HTTP/1.1 400 secret' }).message).toBe('The server does not speak SMTP.')
  expect(after({ ...foreign, response: '554' }).message).toBe('554')
  expect(after({ ...foreign, response: '554-no' }).message).toBe('554-no')
  expect(after({ ...foreign, response: '5544' }).message).toBe('The server does not speak SMTP.')
  expect(after(foreign).message).toBe('The server does not speak SMTP.')
  expect(after({ ...foreign, code: 'EDNS', response: 'hello' }).message).toBe('hello')
  expect(after({ ...foreign, command: 'DATA', response: 'hello' }).message).toBe('hello')
})

test('An answer is stored on one line of 500 characters, without the codes of its further lines.', () => {
  expect(answerLine('550-no\r\n550-such\n550 user')).toBe('550-no such user')
  expect(answerLine('x'.repeat(501))).toHaveLength(500)
  expect(answerLine(`${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}\uFFFD`)
})
