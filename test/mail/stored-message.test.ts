import { expect, test } from 'bun:test'
import { headOf, readStored } from '../../src/mail/stored-message.ts'

test('A message is taken apart, with its headers as they were written.', async () => {
  const raw = [
    'From: "Ada" <ada@example.com>',
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
    'Received: one',
    'Received: two',
    '\tagain',
    'X-Empty:',
    'List-Unsubscribe: <https://a.example>',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hello</p>\r\n--b--\r\n',
  ].join('\r\n')
  const { from, subject, headers, text, html } = await readStored(raw)
  expect({ from, subject, text: text?.trim(), html: html?.trim() }).toEqual({
    from: 'ada@example.com',
    subject: 'Grüße',
    text: 'Hello',
    html: '<p>Hello</p>',
  })
  expect(headers).toMatchObject({
    received: ['one', 'two\tagain'],
    'x-empty': '',
    'list-unsubscribe': '<https://a.example>',
  })
})

test('A part that a message lacks is null, and its subject empty.', async () => {
  expect(await readStored('To: a@b.example\r\n\r\n')).toMatchObject({ from: null, subject: '', text: null, html: null })
})

test('The head of a message ends with its first empty line.', () => {
  expect(headOf('A: 1\r\n\r\nB: 2\r\n\r\n')).toBe('A: 1\r\n\r\n')
  expect(headOf('A: 1\r\n')).toBe('A: 1\r\n')
})
