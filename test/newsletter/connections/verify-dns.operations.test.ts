import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createWorld, START, type World } from '../../support/world.ts'

describe('connections/verify-dns', () => {
  let world: World
  beforeEach(async () => {
    world = await createWorld()
  })
  afterEach(() => world.close())

  test('connections/verify-dns needs a domain, and stores its findings and the selector.', async () => {
    const { connection } = await world.ok('connections/create', {
      name: 'Post',
      provider: 'postmark',
      password: 'token',
    })
    expect(connection.dns).toBeNull()
    const early = await world.call('connections/verify-dns', { connection_id: connection.id })
    expect([early.status, early.body.error.code]).toEqual([409, 'NOT_READY'])
    await world.ok('settings/update', { from_email: 'news@Harbour.example' })
    world.clock.advance(1000)
    const { checks } = await world.ok('connections/verify-dns', {
      connection_id: connection.id,
      dkim_selector: '2026pm',
    })
    expect(
      checks.map(({ name, ok, found, expected }: { [name: string]: unknown }) => ({ name, ok, found, expected })),
    ).toEqual([
      { name: 'spf', ok: false, found: null, expected: 'v=spf1 include:spf.mtasv.net ~all' },
      { name: 'dkim', ok: false, found: null, expected: '2026pm._domainkey.harbour.example: v=DKIM1; p=…' },
      { name: 'dmarc', ok: false, found: null, expected: 'v=DMARC1; p=none' },
    ])
    const { items } = await world.ok('connections/list')
    expect(items[0].dkim_selector).toBe('2026pm')
    expect(items[0].dns).toEqual({
      domain: 'harbour.example',
      checked_at: new Date(START + 1000).toISOString(),
      checks,
    })
    const again = await world.ok('connections/verify-dns', { connection_id: connection.id })
    expect(again.checks[1].expected).toBe('2026pm._domainkey.harbour.example: v=DKIM1; p=…')
    expect((await world.ok('connections/list')).items[0].dkim_selector).toBe('2026pm')
  })

  test('connections/verify-dns makes DKIM keys of smtp connections and answers their records.', async () => {
    const relay = { name: 'Own', provider: 'smtp', host: 'mail.invalid', from_domain: 'signed.invalid' }
    const { id: connection_id } = (await world.ok('connections/create', relay)).connection
    expect((await world.ok('connections/verify-dns', { connection_id })).dkim_keys).toEqual([])
    const make = { connection_id, create_dkim_key: 'ed25519-sha256' }
    const { dkim_keys } = await world.ok('connections/verify-dns', make)
    expect(dkim_keys).toEqual([
      {
        id: expect.any(Number),
        algorithm: 'ed25519-sha256',
        selector: 'mh1',
        name: 'mh1._domainkey.signed.invalid',
        value: expect.stringMatching(/^v=DKIM1; k=ed25519; p=[\w+/]{43}=$/),
        found: null,
        signs: false,
        verified_at: null,
        created_at: new Date(START).toISOString(),
      },
    ])
    const [known] = (await world.ok('connections/verify-dns', { connection_id })).dkim_keys
    expect(known).toEqual({ ...dkim_keys[0], found: expect.stringMatching(/^(missing|no_answer)$/) })
    const { items } = await world.ok('connections/list')
    const { found, ...shown } = dkim_keys[0]
    expect(found).toBeNull()
    expect(items.find(({ id }: any) => id === connection_id).dkim_keys).toEqual([shown])
    const renamed = await world.ok('connections/update', { connection_id, from_domain: 'other.invalid' })
    expect(renamed.connection.dkim_keys).toEqual([])
    const returned = await world.ok('connections/update', { connection_id, from_domain: 'Signed.invalid' })
    expect(returned.connection.dkim_keys).toEqual([shown])
    await world.ok('settings/update', { from_email: 'news@signed.invalid' })
    const unnamed = await world.ok('connections/update', { connection_id, from_domain: '' })
    expect(unnamed.connection.dkim_keys).toEqual([shown])
    const other = await world.ok('connections/create', { name: 'Postmark', provider: 'postmark', password: 'token' })
    expect(other.connection.dkim_keys).toEqual([])
    const refused = await world.call('connections/verify-dns', { ...make, connection_id: other.connection.id })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, '/create_dkim_key'])
  })

  test('connections/verify-dns is for administrators, of their own project, with a selector that is one.', async () => {
    const { connection } = await world.ok(
      'connections/create',
      { name: 'Other', provider: 'sandbox', from_domain: 'harbour.example' },
      { as: world.keys.other },
    )
    expect((await world.call('connections/verify-dns', { connection_id: connection.id })).body.error.code).toBe(
      'NOT_FOUND',
    )
    expect(
      (await world.call('connections/verify-dns', { connection_id: 1 }, { as: world.keys.editor })).body.error.code,
    ).toBe('INSUFFICIENT_ROLE')
    expect(
      (
        await world.call(
          'connections/verify-dns',
          { connection_id: connection.id, dkim_selector: 'a b' },
          { as: world.keys.other },
        )
      ).status,
    ).toBe(400)
    expect(
      (await world.ok('connections/verify-dns', { connection_id: connection.id }, { as: world.keys.other })).checks,
    ).toHaveLength(3)
  })
})
