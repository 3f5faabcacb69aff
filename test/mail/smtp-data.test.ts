import { expect, test } from 'bun:test'
import DataStream from '../../node_modules/nodemailer/dist/esm/smtp-connection/data-stream.js'
import { wireContent } from '../../src/mail/smtp-data.ts'

const wire = (text: string) => wireContent(Buffer.from(text, 'latin1')).toString('latin1')

/** The same by nodemailer, byte for byte. */
async function reference(text: string): Promise<string> {
  const stream = new DataStream()
  stream.end(Buffer.from(text, 'latin1'))
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString('latin1')
}

test('A dot at the start of a line is doubled, and a lone dot ends the message.', () => {
  expect(wire('Subject: x\r\n\r\nHello\r\n.dots\r\n..\r\n.\r\nend\r\n')).toBe(
    'Subject: x\r\n\r\nHello\r\n..dots\r\n...\r\n..\r\nend\r\n.\r\n',
  )
  expect(wire('.first')).toBe('..first\r\n.\r\n')
})

test('No bare CR or LF reaches the relay, so no content can end a message early.', () => {
  for (const end of ['\n.\n', '\r.\r', '\r\n.\r', '\n.\r\n', '\r.\r\n', '\r\r\n.\n'])
    expect(wire(`a${end}MAIL FROM:<x>`)).not.toMatch(/(?:^|[^\r])\n|\r(?!\n)|\r\n\.\r\n./)
})

test('Every mixture of dots and line ends is written as nodemailer writes it.', async () => {
  const pieces = ['a', '.', '\r\n', '\r', '\n', '..']
  for (const one of pieces)
    for (const two of pieces)
      for (const three of pieces)
        for (const four of pieces) {
          const text = one + two + three + four
          expect([text, wire(text)]).toEqual([text, await reference(text)])
        }
})
