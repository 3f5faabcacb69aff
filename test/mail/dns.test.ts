import { describe, expect, jest, test } from 'bun:test'
import { isReserved, type ResolveTxt, senderRecords } from '../../src/mail/dns.ts'

const zone =
  (records: Record<string, string[]>): ResolveTxt =>
  async (name) => {
    if (!records[name])
      throw Object.assign(new Error(name), { code: name.startsWith('_dmarc') ? 'ENODATA' : 'ENOTFOUND' })
    return records[name].map((text) => [text.slice(0, 5), text.slice(5)])
  }
const failing = async (records: Record<string, string[]>, domain = 'news.harbour.net') =>
  Object.entries(await senderRecords(domain, zone(records)))
    .filter(([, { ok }]) => !ok)
    .map(([name]) => name)

const withoutPolicy = {
  'news.harbour.net': ['v=spf1 -all'],
  'selector1._domainkey.news.harbour.net': ['k=rsa; p=MIIB'],
}
const good = { ...withoutPolicy, '_dmarc.news.harbour.net': ['v=DMARC1; p=reject'] }

describe('sender records', () => {
  test('are found', async () => {
    expect(await failing(good)).toEqual([])
    expect(await failing({})).toEqual(['spf', 'dkim', 'dmarc'])
  })

  test('SPF must stand there once', async () => {
    expect(await failing({ ...good, 'news.harbour.net': ['v=spf1 -all', 'v=spf1 ~all'] })).toEqual(['spf'])
    expect(await failing({ ...good, 'news.harbour.net': ['v=spf10 -all', 'other'] })).toEqual(['spf'])
  })

  test('a DKIM key that was revoked is none', async () => {
    expect(await failing({ ...good, 'selector1._domainkey.news.harbour.net': ['v=DKIM1; p='] })).toEqual(['dkim'])
  })

  test('DMARC may stand at a domain above', async () => {
    expect(await failing({ ...withoutPolicy, '_dmarc.harbour.net': ['v=DMARC1; p=none'] })).toEqual([])
    expect(await failing({ ...withoutPolicy, '_dmarc.net': ['v=DMARC1; p=none'] })).toEqual(['dmarc'])
  })

  test('that cannot be asked for are told apart from those that are missing', async () => {
    const { spf, dkim, dmarc } = await senderRecords('harbour.net', async () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    })
    expect(new Set([spf, dkim, dmarc].map(({ message }) => message))).toEqual(new Set(['The DNS gave no answer.']))
  })

  test('are not waited for longer than two seconds', async () => {
    jest.useFakeTimers()
    const asked = senderRecords('harbour.net', () => new Promise(() => {}))
    jest.advanceTimersByTime(2000)
    jest.useRealTimers()
    expect((await asked).dmarc).toEqual({ ok: false, message: 'The DNS gave no answer.' })
  })
})

test('reserved names', () => {
  expect(
    ['a.test', 'harbour.example', 'x.invalid', 'localhost', 'mail.localhost', 'example.com', 'a.example.org'].every(
      isReserved,
    ),
  ).toBe(true)
  expect(['test.de', 'myexample.com', 'example.de', 'contest', 'a.latest'].some(isReserved)).toBe(false)
})
