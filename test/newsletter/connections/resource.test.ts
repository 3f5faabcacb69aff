import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Connection } from '../../../src/newsletter/connections/connection.ts'
import { ConnectionFields, connectionResources } from '../../../src/newsletter/connections/resource.ts'
import { checker } from '../../../src/schema.ts'
import { connections, newsletter_settings } from '../../../src/store/tables/delivery.ts'
import { dkim_keys } from '../../../src/store/tables/dkim.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const LABEL = 'a'.repeat(63)
const limits = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}.example`, 1]))

const VALUES: [keyof typeof ConnectionFields, accepted: unknown[], refused: unknown[]][] = [
  ['name', ['a'.repeat(100)], ['a'.repeat(101)]],
  [
    'host',
    ['relay', '_mx.a.example', '127.0.0.1', '::1', `${LABEL}.example`, 'a-b.example', `${'a.'.repeat(126)}a`],
    ['', `${LABEL}a.example`, 'a-.example', 'a._b', 'a.example.', `${'a.'.repeat(126)}ab`, 'a b'],
  ],
  ['port', [1, 65_535], [0, 65_536, 25.5]],
  ['username', ['', 'a'.repeat(255)], ['a'.repeat(256)]],
  ['password', [null, 'a'.repeat(1000)], ['a'.repeat(1001)]],
  ['from_domain', ['', 'a.b', `${'a.'.repeat(126)}a`], ['a', '127.0.0.1', 'a..b', `${'a.'.repeat(126)}ab`]],
  ['max_per_second', [null, 0.01, 100_000], [0.009, 100_000.5]],
  ['max_per_day', [null, 1, 1_000_000_000], [0, 1_000_000_001]],
  ['max_connections', [1, 50], [0, 51, null]],
  [
    'mailbox_limits',
    [
      null,
      { gmail: 0.01, 'a-1.example': 100_000 },
      { 'a.co': 1, [`${LABEL}.${LABEL}`]: 1 },
      { [`${'a.'.repeat(125)}com`]: 1 },
      limits(50),
    ],
    [
      { gmail: 0.009 },
      { gmail: 100_001 },
      { 'A.example': 1 },
      { nowhere: 1 },
      { 'a.b': 1 },
      { [`${LABEL}a.example`]: 1 },
      { [`a.${LABEL}a`]: 1 },
      { [`${'a.'.repeat(126)}com`]: 1 },
      limits(51),
    ],
  ],
  ['message_stream', ['', 'Broad-cast-7', 'a'.repeat(100)], ['a_b', 'a'.repeat(101)]],
  ['bounce_domain', ['', `${'a.'.repeat(119)}ab`], ['a', `${'a.'.repeat(119)}abc`]],
  ['webhook_secret', [null, 'a'.repeat(4000)], ['a'.repeat(4001)]],
]

describe('The fields of a connection', () => {
  test.each(VALUES)('The field %s takes its limits, and nothing beyond them.', (field, accepted, refused) => {
    const check = checker(ConnectionFields[field])
    for (const [values, passes] of [
      [accepted, true],
      [refused, false],
    ] as const)
      for (const value of values) expect([value, check.Check(value)]).toEqual([value, passes])
  })
})

test('A connection is shown with its times, without its secrets, and with the keys of its domain.', async () => {
  const project_id = await newProject()
  const other = await newProject()
  const key = { project_id, algorithm: 'rsa-sha256', public_key: 'AAAA', created_at: NOW } as const
  const [connection] = await write(async (tx) => {
    await tx.insert(newsletter_settings).values({ project_id, from_email: 'news@settings.example', updated_at: NOW })
    await tx.insert(dkim_keys).values([
      { ...key, domain: 'settings.example', selector: 'old', created_at: NOW - 2, verified_at: NOW - 1 },
      { ...key, domain: 'settings.example', selector: 'new' },
      { ...key, domain: 'own.example', selector: 'own' },
      { ...key, domain: 'settings.example', selector: 'foreign', project_id: other },
    ])
    return tx
      .insert(connections)
      .values({
        project_id,
        name: 'Quay',
        name_key: 'quay',
        provider: 'smtp',
        host: 'relay.example',
        port: 26,
        secure: 'none',
        username: 'harbour',
        password_sealed: 'sealed',
        max_per_second: 1.5,
        max_per_day: 7,
        max_connections: 3,
        mailbox_limits: { gmail: 2 },
        message_stream: 'news',
        warm_up_started_at: 0,
        bounce_domain: 'bounce.example',
        webhook_secret_sealed: 'sealed',
        webhook_topic: 'arn:topic',
        dkim_selector: 's2',
        dns: { domain: 'settings.example', checked_at: NOW + 1, checks: [] },
        verified_at: NOW + 2,
        last_error: 'Busy',
        created_at: NOW + 3,
        updated_at: NOW + 4,
      })
      .returning()
  })
  const { db } = await sharedStore()
  const show = await connectionResources(db, project_id)
  const at = (time: number) => new Date(time).toISOString()
  const { dkim_keys: keys, ...shown } = show(connection!)
  expect(shown).toEqual({
    id: connection!.id,
    name: 'Quay',
    provider: 'smtp',
    host: 'relay.example',
    port: 26,
    secure: 'none',
    username: 'harbour',
    password_set: true,
    from_domain: '',
    max_per_second: 1.5,
    max_per_day: 7,
    max_connections: 3,
    mailbox_limits: { gmail: 2 },
    message_stream: 'news',
    warm_up: true,
    bounce_domain: 'bounce.example',
    webhook_secret_set: true,
    webhook_topic: 'arn:topic',
    dkim_selector: 's2',
    dns: { domain: 'settings.example', checked_at: at(NOW + 1), checks: [] },
    verified_at: at(NOW + 2),
    last_error: 'Busy',
    created_at: at(NOW + 3),
    updated_at: at(NOW + 4),
  })
  expect(keys).toEqual([
    {
      ...{ id: expect.any(Number), algorithm: 'rsa-sha256', selector: 'new', signs: false, verified_at: null },
      ...{ name: 'new._domainkey.settings.example', value: expect.stringContaining('AAAA'), created_at: at(NOW) },
    },
    expect.objectContaining({ selector: 'old', signs: true, verified_at: at(NOW - 1), created_at: at(NOW - 2) }),
  ])
  const selectors = (more: Partial<Connection>) =>
    show({ ...connection!, ...more }).dkim_keys.map(({ selector }) => selector)
  expect(selectors({ from_domain: 'own.example' })).toEqual(['own'])
  expect(selectors({ provider: 'resend' })).toEqual([])
  const bare = { password_sealed: null, webhook_secret_sealed: null, warm_up_started_at: null, dns: null }
  expect(show({ ...connection!, ...bare })).toMatchObject({
    ...{ password_set: false, webhook_secret_set: false, warm_up: false, dns: null },
  })
  await write((tx) => tx.delete(connections).where(eq(connections.id, connection!.id)))
})
