import { expect, test } from 'bun:test'
import { mailTransportOf, relayOf, senderOf } from '../../src/accounts/mail-transport.ts'
import { configOf, type Config } from '../../src/config.ts'
import type { Runtime } from '../../src/runtime.ts'

test('The address of the relay tells its host, port, encryption and login.', () => {
  const shown = (url: string) => {
    const { host, port, secure, username, password } = relayOf(url)
    return [host, port, secure, username, password]
  }
  expect(shown('smtp://mail.example')).toEqual(['mail.example', 587, 'starttls', null, ''])
  expect(shown('smtps://mail.example')).toEqual(['mail.example', 465, 'tls', null, ''])
  expect(shown('smtps://a%40b:c%2Fd@mail.example:2465')).toEqual(['mail.example', 2465, 'tls', 'a@b', 'c/d'])
  expect(shown('smtp://mail.example?secure=none')).toEqual(['mail.example', 25, 'none', null, ''])
  expect(shown('smtps://mail.example?secure=starttls')).toEqual(['mail.example', 587, 'starttls', null, ''])
  expect(shown('smtp://mail.example?secure=tls')).toEqual(['mail.example', 465, 'tls', null, ''])
  for (const host of ['localhost', '127.0.0.1', '127.9.8.7', '[::1]'])
    expect(shown(`smtp://${host}`)).toEqual([host.replace(/[[\]]/g, ''), 25, 'none', null, ''])
  for (const host of ['127.example', '128.0.0.1', '[::2]']) expect(shown(`smtp://${host}`)[2]).toBe('starttls')
})

test('Mail leaves by the relay, else into the sandbox while it is on, and from the configured sender.', async () => {
  const runtime = (changes: Partial<Config>, base_url = 'https://masthead.example:8443') =>
    ({ config: configOf(changes), base_url }) as Runtime
  expect(mailTransportOf(runtime({ sandbox: false }))).toBeNull()
  for (const changes of [{ mail_url: 'smtp://127.0.0.1:1', sandbox: true }, { sandbox: true }]) {
    const transport = mailTransportOf(runtime(changes))
    expect(transport).not.toBeNull()
    await transport!.close()
  }
  expect(senderOf(runtime({}))).toBe('masthead@masthead.example')
  expect(senderOf(runtime({}, 'http://[::1]:8787'))).toBe('masthead@::1')
  expect(senderOf(runtime({ mail_from: 'post@harbour.example' }))).toBe('post@harbour.example')
})
