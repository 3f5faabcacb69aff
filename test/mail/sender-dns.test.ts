import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, jest, test } from 'bun:test'
import type { DkimKeyRow } from '../../src/newsletter/connections/dkim-keys.ts'
import { dkimRecords } from '../../src/newsletter/connections/dkim-records.ts'
import { senderSetup } from '../../src/newsletter/connections/sender-dns.ts'
import { checkSenderDns } from '../../src/mail/sender-dns.ts'
import type { ResolveCname, ResolveTxt } from '../../src/mail/dns.ts'
import type { ProjectId } from '../../src/ids.ts'

type Sending = Parameters<typeof senderSetup>[0]
const TIMEOUT_MS = 4000
const noCname: ResolveCname = async (name) => {
  throw Object.assign(new Error(name), { code: 'ENODATA' })
}
const checkDns = (sending: Sending, resolveTxt: ResolveTxt, resolveCname = noCname) =>
  checkSenderDns(senderSetup(sending), { resolveTxt, resolveCname, timeout_ms: TIMEOUT_MS })

type Zone = Record<string, string | string[]>
const resolver =
  (zone: Zone): ResolveTxt =>
  async (name) => {
    const records = zone[name]
    if (records === undefined) throw Object.assign(new Error(name), { code: name.length % 2 ? 'ENODATA' : 'ENOTFOUND' })
    // Long records come in pieces.
    return [records].flat().map((text) => text.match(/.{1,100}/g) ?? [])
  }

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const KEY = `v=DKIM1; k=rsa; p=${rsa(2048)}`
const sending = (more: Partial<Sending> = {}, connection: Partial<Sending['connection']> = {}): Sending => ({
  domain: 'news.harbour.net',
  own_keys: [],
  ...more,
  connection: { provider: 'sendgrid', host: 'smtp.sendgrid.net', bounce_domain: '', dkim_selector: '', ...connection },
})
const GOOD: Zone = {
  'news.harbour.net': ['v=spf1 include:sendgrid.net ~all', 'another=text'],
  'sendgrid.net': 'v=spf1 ip4:167.89.0.0/17 ~all',
  's1._domainkey.news.harbour.net': KEY,
  '_dmarc.news.harbour.net': 'v=DMARC1; p=reject; rua=mailto:d@harbour.net',
}
const look = (zone: Zone, who = sending()) => checkDns(who, resolver(zone))
const failing = async (zone: Zone, who = sending()) =>
  (await look(zone, who)).filter(({ ok }) => !ok).map(({ name }) => name)

test('A sender with all records passes.', async () => {
  expect(await look(GOOD)).toEqual([
    {
      name: 'spf',
      ok: true,
      found: 'v=spf1 include:sendgrid.net ~all',
      expected: 'v=spf1 include:sendgrid.net ~all',
      record: { type: 'TXT', name: 'news.harbour.net', value: 'v=spf1 include:sendgrid.net ~all' },
      hint: expect.any(String),
    },
    {
      name: 'dkim',
      ok: true,
      found: `s1._domainkey.news.harbour.net: ${KEY}`,
      expected: 's1._domainkey.news.harbour.net: v=DKIM1; p=…',
      record: null,
      hint: expect.any(String),
    },
    {
      name: 'dmarc',
      ok: true,
      found: 'v=DMARC1; p=reject; rua=mailto:d@harbour.net',
      expected: 'v=DMARC1; p=none',
      record: { type: 'TXT', name: '_dmarc.news.harbour.net', value: 'v=DMARC1; p=none' },
      hint: expect.any(String),
    },
  ])
})

test('Missing records and an unanswered look-up give different findings.', async () => {
  const nothing = await look({})
  expect(nothing.map(({ ok, found }) => [ok, found])).toEqual([
    [false, null],
    [false, null],
    [false, null],
  ])
  expect(nothing[0].hint).toContain('Publish')
  const silent = await checkDns(sending(), async () => {
    throw Object.assign(new Error('x'), { code: 'ESERVFAIL' })
  })
  expect(silent.map(({ ok, hint }) => [ok, hint])).toEqual(
    Array.from({ length: 3 }, () => [false, 'The DNS gave no answer.']),
  )
})

test('A resolver that hangs is not waited for beyond the timeout.', async () => {
  jest.useFakeTimers()
  const asked = checkDns(sending(), () => new Promise(() => {}))
  jest.advanceTimersByTime(TIMEOUT_MS)
  jest.useRealTimers()
  expect((await asked).every(({ ok, found }) => !ok && found === null)).toBe(true)
})

describe('SPF', () => {
  const spf = async (record: string | string[], who = sending(), more: Zone = {}) =>
    (await look({ ...GOOD, 'news.harbour.net': record, ...more }, who))[0]

  test.each([
    [['v=spf1 include:sendgrid.net -all', 'v=spf1 -all'], false],
    ['v=spf1 include:sendgrid.net +all', false],
    ['v=spf1 include:sendgrid.net all', false],
    ['v=spf1 -all', false],
    ['v=spf1 include:amazonses.com -all', false],
    ['v=spf10 include:sendgrid.net -all', false],
    ['V=SPF1 Include:SendGrid.net ~all', true],
  ])('The SPF record %j of a SendGrid sender is right: %p.', async (record, ok) => {
    expect((await spf(record)).ok).toBe(ok)
  })

  test('SPF finds the provider behind another name, and counts the look-ups.', async () => {
    expect(
      (
        await spf('v=spf1 include:_spf.harbour.net ~all', sending(), {
          '_spf.harbour.net': 'v=spf1 a mx redirect=more.harbour.net',
          'more.harbour.net': 'v=spf1 include:sendgrid.net ~all',
        })
      ).ok,
    ).toBe(true)
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `s${index}.harbour.net`,
        `v=spf1 include:s${index + 1}.harbour.net ~all`,
      ]),
    )
    expect((await spf('v=spf1 include:s0.harbour.net ~all', sending(), many)).hint).toContain('more than 10')
    expect((await spf(`v=spf1 ${'a:x.example '.repeat(11)} include:sendgrid.net ~all`)).hint).toContain('more than 10')
    expect((await spf('v=spf1 include:news.harbour.net ~all')).ok).toBe(false)
  })

  test('SES and Postmark receive bounces themselves, and a CNAME record of Postmark aligns them.', async () => {
    const at = (provider: 'ses' | 'postmark', target?: string) =>
      checkDns(sending({}, { provider }), resolver({ ...GOOD, 'news.harbour.net': [] }), async (name) => {
        if (target === undefined || name !== 'pm-bounces.news.harbour.net') return noCname(name)
        return [target]
      })
    const [ses, , ses_dmarc] = await at('ses')
    expect(ses).toMatchObject({ ok: true, found: null, hint: expect.stringContaining('bounce_domain') })
    expect((await at('postmark'))[0]).toMatchObject({
      ok: true,
      found: null,
      expected: 'pm-bounces.news.harbour.net CNAME pm.mtasv.net',
    })
    const other = await at('postmark', 'elsewhere.example')
    expect(other[0]).toMatchObject({ found: 'pm-bounces.news.harbour.net CNAME elsewhere.example' })
    const aligned = await at('postmark', 'PM.mtasv.net.')
    expect(aligned[0]!.hint).toBe('Bounces go to pm-bounces.news.harbour.net, which Postmark answers for.')
    // The key of GOOD belongs to another provider's selector, which is tried as well.
    expect([ses_dmarc!.ok, other[2]!.ok, aligned[2]!.ok]).toEqual([true, true, true])
    const zone = { ...GOOD, 's1._domainkey.news.harbour.net': [] }
    const dmarc = async (target: string) =>
      (await checkDns(sending({}, { provider: 'postmark' }), resolver(zone), async () => [target]))[2]!.ok
    expect([await dmarc('elsewhere.example'), await dmarc('pm.mtasv.net')]).toEqual([false, true])
  })

  test('SPF is looked up for the bounce domain, which must belong to the same organization.', async () => {
    const own = sending({}, { bounce_domain: 'bounces.harbour.net' })
    expect((await look({ ...GOOD, 'bounces.harbour.net': 'v=spf1 include:sendgrid.net -all' }, own))[0]).toMatchObject({
      ok: true,
    })
    expect((await look(GOOD, own))[0]).toMatchObject({ ok: false, found: null })
    const foreign = await look(
      { ...GOOD, 'bounces.other.net': 'v=spf1 include:sendgrid.net -all' },
      sending({}, { bounce_domain: 'bounces.other.net' }),
    )
    expect(foreign[0]).toMatchObject({ ok: false, hint: expect.stringContaining('does not belong') })
    const strict = await look(
      {
        ...GOOD,
        '_dmarc.news.harbour.net': 'v=DMARC1; p=none; aspf=s',
        'bounces.harbour.net': 'v=spf1 include:sendgrid.net -all',
      },
      own,
    )
    expect(strict[0].ok).toBe(false)
    const neighbors = await look(
      { ...GOOD, 'bounces.other.co.uk': 'v=spf1 include:sendgrid.net -all' },
      sending({ domain: 'harbour.co.uk' }, { bounce_domain: 'bounces.other.co.uk' }),
    )
    expect(neighbors[0].ok).toBe(false)
  })

  test('SPF of an unknown relay must be checked with its operator.', async () => {
    const relay = sending({}, { provider: 'smtp', host: 'mail.relay.net' })
    expect(await spf('v=spf1 a:mail.relay.net -all', relay)).toMatchObject({
      ok: true,
      expected: 'v=spf1 a:mail.relay.net ~all',
    })
    for (const [record, more] of [
      ['v=spf1 mx -all', {}],
      ['v=spf1 redirect=_spf.harbour.net', { '_spf.harbour.net': 'v=spf1 mx -all' }],
    ] as const)
      expect(await spf(record, relay, more)).toMatchObject({
        ok: false,
        hint: expect.stringContaining('ends with -all'),
      })
    expect(await spf('v=spf1 mx ~all', relay)).toMatchObject({
      ok: true,
      hint: expect.stringContaining('mail.relay.net'),
    })
    expect((await spf('v=spf1 -all', sending({}, { provider: 'smtp', host: '2001:db8::25' }))).expected).toBe(
      'v=spf1 ip6:2001:db8::25 ~all',
    )
  })
})

describe('DKIM', () => {
  const withKey = (name: string, record: string | string[] = KEY): Zone => ({
    ...GOOD,
    's1._domainkey.news.harbour.net': [],
    [name]: record,
  })
  const dkim = async (zone: Zone, who = sending()) => (await look(zone, who))[1]

  test.each([
    [KEY, true],
    [`p=${rsa(1024)}`, true],
    [`v=DKIM1; p=${rsa(512)}`, false],
    ['v=DKIM1; k=rsa; p=', false],
    ['v=DKIM1; k=ed25519; p=', false],
    ['v=DKIM1; p=MIIB', false],
    ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', true],
    ['hello', false],
  ])('The DKIM record %s is right: %p.', async (record, ok) => {
    expect((await dkim(withKey('s2._domainkey.news.harbour.net', record))).ok).toBe(ok)
  })

  test('DKIM is looked up under the given selector only.', async () => {
    const zone = withKey('20260101pm._domainkey.news.harbour.net')
    expect(await dkim(zone, sending({}, { provider: 'postmark' }))).toMatchObject({
      ok: false,
      hint: expect.stringContaining('dkim_selector'),
    })
    expect(await dkim(zone, sending({ selector: '20260101pm' }, { provider: 'postmark' }))).toMatchObject({ ok: true })
    const kept = sending({}, { provider: 'postmark', dkim_selector: '20260101pm' })
    expect(await dkim(zone, kept)).toMatchObject({ ok: true })
    expect(await dkim(GOOD, sending({ selector: 'nowhere' }))).toMatchObject({
      ok: false,
      hint: expect.stringContaining('the selector nowhere'),
    })
  })

  test('DKIM of the domain above counts, unless the policy is strict.', async () => {
    const zone = withKey('s1._domainkey.harbour.net')
    expect((await dkim(zone)).ok).toBe(true)
    expect((await dkim({ ...zone, '_dmarc.news.harbour.net': 'v=DMARC1; p=none; adkim=s' })).ok).toBe(false)
    // Receivers ignore two records, so neither of them is strict.
    const two = ['v=DMARC1; p=none; adkim=s', 'v=DMARC1; p=none']
    expect((await dkim({ ...zone, '_dmarc.news.harbour.net': two })).ok).toBe(true)
    expect((await dkim(withKey('s1._domainkey.net'))).ok).toBe(false)
  })

  test('DKIM of this service is compared with what it signs with.', async () => {
    const public_key = rsa(2048)
    const key: DkimKeyRow = {
      id: 1,
      project_id: 1 as ProjectId,
      domain: 'news.harbour.net',
      selector: 'mh1',
      algorithm: 'rsa-sha256',
      public_key,
      created_at: 0,
      verified_at: null,
    }
    const own = sending({ own_keys: dkimRecords([key]) }, { provider: 'smtp', host: 'mail.relay.net' })
    const record = `v=DKIM1; k=rsa; p=${public_key}`
    expect(await dkim(GOOD, own)).toMatchObject({
      ok: false,
      found: null,
      expected: `mh1._domainkey.news.harbour.net: ${record}`,
    })
    expect(await dkim({ ...GOOD, 'mh1._domainkey.news.harbour.net': KEY }, own)).toMatchObject({
      ok: false,
      hint: expect.stringContaining('Another key'),
    })
    expect(await dkim({ ...GOOD, 'mh1._domainkey.news.harbour.net': record }, own)).toMatchObject({
      ok: true,
      hint: 'The key is published.',
    })
    expect((await dkim(GOOD, own)).hint).toBe(
      'Publish the key as a TXT record of mh1._domainkey.news.harbour.net. Until then messages are not signed.',
    )
    expect((await look(GOOD, own))[1].record).toEqual({
      type: 'TXT',
      name: 'mh1._domainkey.news.harbour.net',
      value: record,
    })
  })

  test('The hint about DKIM says what is known of the key and of the relay.', async () => {
    const smtp = sending({}, { provider: 'smtp', host: 'mail.relay.net' })
    const none = withKey('elsewhere')
    const hint = async (...given: Parameters<typeof dkim>) => (await dkim(...given)).hint
    expect(await hint(none)).toBe(
      'There is no key under the usual selectors of news.harbour.net. Ask your relay for its selector, and give it ' +
        'as dkim_selector.',
    )
    expect(await hint(none, sending({}, { provider: 'ses' }))).toContain('Take one of the three tokens')
    expect(await hint(GOOD)).toBe('The key is published.')
    expect(await hint(GOOD, smtp)).toStartWith('A key is published.')
    expect((await dkim(GOOD, smtp)).expected).toBe('<selector>._domainkey.news.harbour.net: v=DKIM1; p=…')
    expect(await hint(withKey('s2._domainkey.news.harbour.net', `p=${rsa(512)}`))).toBe(
      'The key has 512 bits; receivers ignore keys below 1024. Ask for one with 2048.',
    )
    expect(await hint(withKey('s2._domainkey.news.harbour.net', 'p=MIIB'))).toContain('cannot be read')
    // One selector without an answer does not hide that the others have no key.
    const partly: ResolveTxt = async (name) => {
      if (name.startsWith('s1.')) throw Object.assign(new Error('x'), { code: 'ESERVFAIL' })
      return resolver(none)(name)
    }
    expect((await checkDns(sending(), partly))[1].hint).toContain('There is no key')
  })
})

describe('DMARC', () => {
  const without = (name: string): Zone => Object.fromEntries(Object.entries(GOOD).filter(([known]) => known !== name))

  test.each([
    [{ '_dmarc.news.harbour.net': 'v=DMARC1; p=none' }, true],
    [{ '_dmarc.news.harbour.net': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, false],
    [{ '_dmarc.news.harbour.net': 'v=DMARC1; rua=mailto:x@y.example' }, false],
    [{ '_dmarc.news.harbour.net': 'v=DMARC1; p=maybe' }, false],
    [{ '_dmarc.harbour.net': 'v=DMARC1; p=reject' }, true],
    [{ '_dmarc.harbour.net': 'v=DMARC1; p=reject; sp=nonsense' }, false],
    [{ '_dmarc.net': 'v=DMARC1; p=reject' }, false],
    [{}, false],
  ])('The DMARC policy %j is right: %p.', async (policy, ok) => {
    expect((await look({ ...without('_dmarc.news.harbour.net'), ...policy }))[2].ok).toBe(ok)
  })

  test.each([
    [[], false, 'Publish v=DMARC1; p=none as a TXT record of _dmarc.news.harbour.net. Large receivers require it.'],
    [
      ['v=DMARC1; p=none', 'v=DMARC1'],
      false,
      '_dmarc.news.harbour.net has 2 records, so receivers ignore all of them.',
    ],
    ['v=DMARC1; sp=none', false, 'The record has no policy'],
    ['v=DMARC1; p=None', true, 'Messages pass. Once the reports show that all of yours do'],
    ['v=DMARC1;p=quarantine', true, /^Messages pass\.$/],
    ['v=DMARC1 ; p=reject', true, /^Messages pass\.$/],
    ['v=DMARC10; p=reject', false, 'Publish'],
  ])('For the DMARC records %j the result is %p, with the hint %p.', async (records, ok, hint) => {
    const [, , found] = await look({ ...GOOD, '_dmarc.news.harbour.net': records })
    expect([found.ok, found.hint]).toEqual([ok, expect.stringMatching(hint)])
  })

  test('The policy of the domain above is its policy for subdomains, or else its own.', async () => {
    const hint = async (record: string) =>
      (await look({ ...without('_dmarc.news.harbour.net'), '_dmarc.harbour.net': record }))[2].hint
    expect(await hint('v=DMARC1; p=reject; sp=none')).toContain('Once the reports')
    expect(await hint('v=DMARC1; p=none; sp=reject')).toBe('Messages pass.')
    expect(await hint('v=DMARC1; p=none')).toContain('Once the reports')
  })

  test('DMARC fails while neither SPF nor DKIM is aligned with the domain.', async () => {
    const unsigned = without('s1._domainkey.news.harbour.net')
    // SendGrid puts its own return path in place of ours: without a signature nothing is aligned.
    expect(await failing(unsigned)).toEqual(['dkim', 'dmarc'])
    const hintOf = async (policy: string) =>
      (await look({ ...unsigned, '_dmarc.news.harbour.net': `v=DMARC1; p=${policy}` }))[2].hint
    const fails = 'Neither SPF nor DKIM is aligned with news.harbour.net'
    for (const policy of ['quarantine', 'reject'])
      expect(await hintOf(policy)).toStartWith(`${fails}, and the policy is ${policy}: receivers`)
    expect(await hintOf('none')).toBe(`${fails}. Fix one of them first.`)
    expect(
      await failing(
        { ...unsigned, 'bounces.harbour.net': 'v=spf1 include:sendgrid.net -all' },
        sending({}, { bounce_domain: 'bounces.harbour.net' }),
      ),
    ).toEqual(['dkim'])
    expect(
      await failing(
        { ...unsigned, 'news.harbour.net': 'v=spf1 a:mail.relay.net -all' },
        sending({}, { provider: 'smtp', host: 'mail.relay.net' }),
      ),
    ).toEqual(['dkim'])
  })
})

test('A domain for tests and examples is not looked up.', async () => {
  const asked: string[] = []
  const found = await checkDns(sending({ domain: 'news.harbour.test' }), async (name) => (asked.push(name), []))
  expect(asked).toEqual([])
  const hint = 'news.harbour.test is reserved for tests and examples, so it has no records.'
  expect(found).toMatchObject([
    { name: 'spf', ok: false, found: null, expected: 'v=spf1 include:sendgrid.net ~all', hint },
    { name: 'dkim', ok: false, expected: 's1._domainkey.news.harbour.test: v=DKIM1; p=…', hint },
    { name: 'dmarc', ok: false, expected: 'v=DMARC1; p=none', hint },
  ])
})

test('A provider that receives bounces asks for its CNAME record, or for nothing.', async () => {
  const record = async (connection: Partial<Sending['connection']>) =>
    (await look(GOOD, sending({}, connection)))[0].record
  expect(await record({ provider: 'postmark' })).toEqual({
    type: 'CNAME',
    name: 'pm-bounces.news.harbour.net',
    value: 'pm.mtasv.net',
  })
  expect(await record({ provider: 'ses' })).toBeNull()
  expect(await record({ bounce_domain: 'b.harbour.net' })).toMatchObject({ type: 'TXT', name: 'b.harbour.net' })
})
