import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { deliveryTick } from '../../../src/newsletter/campaigns/dispatch.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, loopContext } from '../../support/world.ts'
import { createScene } from '../outbox/support.ts'
import { addPeople, draft } from './support.ts'

test('An unreachable relay is tried again after pauses that double, up to five minutes.', async () => {
  const world = await createWorld()
  const sink = await startSmtpSink()
  await readyToSend(world, { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' })
  await sink.close()
  await addPeople(world, [{ email: 'ada@example.com' }])
  const { id } = await draft(world)
  await world.ok('campaigns/send', { campaign_id: id })
  await world.service.drain('jobs')
  const pauses: unknown[] = []
  const { runtime } = world.service
  const warn = (_: string, fields?: Record<string, unknown>) => void pauses.push(fields?.pause_ms)
  const context = { ...loopContext(runtime), log: { ...runtime.log, warn } }
  for (let hour = 0; hour < 8; hour++) {
    while (await deliveryTick(context)) {
      /* the stream still runs */
    }
    world.clock.advance(3_600_000)
  }
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  // A pause ends at its time, or when a clock that was set back makes it longer than any.
  const tries = async (advance_ms: number) => {
    pauses.length = 0
    world.clock.advance(advance_ms)
    while (await deliveryTick(context)) {
      /* the stream still runs */
    }
    return pauses.length
  }
  expect(await tries(0)).toBe(1)
  expect([await tries(299_999), await tries(1), await tries(-3_600_000)]).toEqual([0, 1, 1])
  await world.close()
})

test('The delivery is woken as soon as the rate of a mailbox provider allows the next message.', async () => {
  const { world, statuses } = await createScene(3, { mailbox_limits: { gmail: 2 } })
  const { runtime } = world.service
  await runtime.store.write((tx) =>
    tx.script(`
      UPDATE contacts SET email = 'a' || id || '@gmail.com', email_key = 'a' || id || '@gmail.com';
      UPDATE deliveries SET email = 'a' || contact_id || '@gmail.com'`),
  )
  const woken = Promise.withResolvers<string>()
  const context = { ...loopContext(runtime), wake: woken.resolve }
  while (await deliveryTick(context)) {
    /* the stream still runs */
  }
  expect(await statuses()).toEqual({ sent: 1, queued: 2 })
  expect(await woken.promise).toBe('delivery')
  await world.close()
})

test('A relay that was said to fail and answers again is cleared, unless the campaign stops at it.', async () => {
  const world = await createWorld()
  let refused = 0
  const sink = await startSmtpSink({
    onRcpt: () => (refused-- > 0 ? { code: 550, text: 'account suspended' } : undefined),
  })
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { connection_id } = await readyToSend(world, relay)
  await addPeople(
    world,
    Array.from({ length: 60 }, (_, at) => ({ email: `a${at}@example.com` })),
  )
  const { store } = world.service.runtime
  /** What the connection says after a campaign at a relay that refuses so many recipients. */
  const errorAfter = async (refusals: number) => {
    refused = refusals
    await store.write((tx) => tx.run(sql`UPDATE connections SET last_error = 'The relay fails: before'`))
    await world.ok('campaigns/send', { campaign_id: (await draft(world)).id })
    await world.settle()
    const { items } = await world.ok('connections/list', {})
    return items.find(({ id }: { id: number }) => id === connection_id).last_error
  }
  expect(await errorAfter(0)).toBeNull()
  expect(await errorAfter(1_000)).toContain('account suspended')
  await world.close()
  await sink.close()
})
