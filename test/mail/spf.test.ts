import { expect, test } from 'bun:test'
import type { Policy, SenderSetup } from '../../src/mail/sender-setup.ts'
import { checkProviderReturnPath, checkSpf, spfExpected } from '../../src/mail/spf.ts'

const SETUP: SenderSetup = {
  domain: 'harbour.net',
  return_domain: 'harbour.net',
  keeps_return_path: true,
  provider_return_path: null,
  spf_term: 'include:relay.net',
  relay_host: null,
  selectors: [],
  expected_selector: null,
  selector_hint: null,
  own_keys: [],
}
const policy = (tags: Record<string, string> = {}): Policy => ({
  records: [],
  at: 'harbour.net',
  tags: new Map(Object.entries(tags)),
})
type Zone = Record<string, string | string[]>
/** The verdict for the records of harbour.net and of the names that they include. */
async function check(zone: Zone | string, more: Partial<SenderSetup> = {}, tags = {}) {
  const names = typeof zone === 'string' ? { 'harbour.net': zone } : zone
  const asked: string[] = []
  const texts = async (name: string) => (asked.push(name), [names[name] ?? []].flat())
  const { finding, aligned } = await checkSpf(texts, { ...SETUP, ...more }, policy(tags))
  return { ...finding, aligned, asked }
}
const ok = async (...given: Parameters<typeof check>) => (await check(...given)).ok

test('The record of the domain must name the relay.', async () => {
  expect(await check('v=spf1 include:relay.net ~all')).toMatchObject({
    name: 'spf',
    ok: true,
    aligned: true,
    found: 'v=spf1 include:relay.net ~all',
    expected: 'v=spf1 include:relay.net ~all',
    hint: 'The relay may send for this domain.',
  })
  expect(await ok('v=spf1 +INCLUDE:Relay.net -all')).toBe(true)
  for (const all of ['~all', '-all'])
    expect(await check(`v=spf1 mx ${all}`)).toMatchObject({ ok: false, hint: 'Add include:relay.net to the record.' })
  expect(await check('v=spf1 -include:relay.net ~all')).toMatchObject({ ok: false })
})

test('There is exactly one record, and other texts do not count.', async () => {
  expect(await check({ 'harbour.net': ['v=spf10', 'verify=1'] })).toMatchObject({
    ok: false,
    found: null,
    hint: 'Publish v=spf1 include:relay.net ~all as a TXT record of harbour.net.',
  })
  expect((await check({ 'harbour.net': ['v=spf1 a', 'V=SPF1'] })).hint).toContain('has 2 SPF records')
  const { finding } = await checkSpf(async () => null, SETUP, policy())
  expect(finding).toMatchObject({ ok: false, found: null, hint: 'The DNS gave no answer.' })
})

test('A record that allows every server is refused.', async () => {
  for (const all of ['all', '+all'])
    expect((await check(`v=spf1 include:relay.net ${all}`)).hint).toContain('every server')
  for (const all of ['?all', '~all', '-all', '']) expect(await ok(`v=spf1 include:relay.net ${all}`)).toBe(true)
})

test('Where bounces go must belong to the domain, and be kept by the relay to be aligned.', async () => {
  const zone = { 'b.harbour.net': 'v=spf1 include:relay.net', 'other.org': 'v=spf1 include:relay.net' }
  expect(await check(zone, { return_domain: 'b.harbour.net' })).toMatchObject({ ok: true, aligned: true })
  expect(await check(zone, { return_domain: 'b.harbour.net' }, { aspf: 's' })).toMatchObject({ ok: false })
  expect((await check(zone, { return_domain: 'other.org' })).hint).toContain('does not count for DMARC')
  expect(await check('v=spf1 include:relay.net', { keeps_return_path: false })).toMatchObject({
    ok: true,
    aligned: false,
  })
})

test('Included and redirected records are followed.', async () => {
  expect(await ok({ 'harbour.net': 'v=spf1 include:a.net', 'a.net': 'v=spf1 include:relay.net' })).toBe(true)
  expect(await ok({ 'harbour.net': 'v=spf1 redirect=a.net', 'a.net': 'v=spf1 include:relay.net' })).toBe(true)
  expect(await ok({ 'harbour.net': 'v=spf1 include:a.net', 'a.net': 'include:relay.net' })).toBe(false)
  // A term with a macro cannot be looked up.
  expect((await check('v=spf1 include:%{i}.net include:b.net')).asked).toEqual(['harbour.net', 'b.net'])
})

test('More than ten look-ups are too many.', async () => {
  const many = (count: number) =>
    `v=spf1 include:relay.net ${Array.from({ length: count }, (_, at) => `a:x${at}.net`).join(' ')}`
  expect(await ok(many(9))).toBe(true)
  expect((await check(many(10))).hint).toContain('more than 10 look-ups')
  for (const term of ['mx', 'a', '?a:x', 'ptr', 'exists:x', '~mx/24'])
    expect([term, await ok(`${many(9)} ${term}`)]).toEqual([term, false])
  for (const term of ['ip4:1.2.3.4', 'ip6:::1', 'exp=x', 'all2', 'apple'])
    expect([term, await ok(`${many(9)} ${term}`)]).toEqual([term, true])
  // A loop ends at the limit.
  const loop = await check({ 'harbour.net': 'v=spf1 include:harbour.net' })
  expect(loop.hint).toContain('more than 10 look-ups')
  expect(loop.asked).toHaveLength(12)
})

test('Of a relay that only its operator knows, the end of the record decides.', async () => {
  const relay = { relay_host: 'mail.relay.net', spf_term: 'a:mail.relay.net' }
  expect(await check('v=spf1 mx -all', relay)).toMatchObject({
    ok: false,
    hint: expect.stringContaining('ends with -all'),
  })
  expect(await check('v=spf1 mx ~all', relay)).toMatchObject({
    ok: true,
    hint: expect.stringContaining('Ask the operator'),
  })
  const redirected = { 'harbour.net': 'v=spf1 redirect=b.net', 'b.net': 'v=spf1 -all' }
  expect(await ok(redirected, relay)).toBe(false)
  // The end of an included record ends nothing.
  expect(await ok({ 'harbour.net': 'v=spf1 include:b.net ~all', 'b.net': 'v=spf1 -all' }, relay)).toBe(true)
  expect(await ok('v=spf1 a:mail.relay.net -all', relay)).toBe(true)
  expect(await ok('v=spf1 -all', { spf_term: null })).toBe(true)
  expect(spfExpected({ ...SETUP, spf_term: null })).toBe('v=spf1 ~all')
})

test('A provider that receives bounces passes, and a CNAME record aligns it.', async () => {
  const cname = { name: 'pm.harbour.net', target: 'pm.relay.net' }
  const at = (target: string | null, given: typeof cname | null = cname) =>
    checkProviderReturnPath(async () => target, SETUP, { provider: 'Relay', cname: given })
  expect(await at('pm.relay.net')).toEqual({
    finding: {
      name: 'spf',
      ok: true,
      found: 'pm.harbour.net CNAME pm.relay.net',
      expected: 'pm.harbour.net CNAME pm.relay.net',
      hint: 'Bounces go to pm.harbour.net, which Relay answers for.',
    },
    aligned: true,
  })
  expect(await at('else.net')).toMatchObject({
    aligned: false,
    finding: { ok: true, found: 'pm.harbour.net CNAME else.net' },
  })
  expect(await at(null)).toMatchObject({
    aligned: false,
    finding: { found: null, hint: expect.stringContaining('let the CNAME') },
  })
  expect(await at('x', null)).toMatchObject({
    aligned: false,
    finding: {
      found: null,
      expected: 'no record of harbour.net',
      hint: expect.stringContaining('MAIL FROM domain there, and give it as bounce_domain'),
    },
  })
})
