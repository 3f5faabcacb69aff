import { expect, test } from 'bun:test'
import { deliveryTick } from '../../../src/newsletter/campaigns/dispatch.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, loopContext } from '../../support/world.ts'
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
  await world.close()
})
