import { systemClock } from '../../src/clock.ts'
import { beginHeartbeat } from '../../src/facts-heartbeat.ts'
import { openFacts } from '../../src/instance.ts'
import type { World } from './world.ts'

/**
 * Says in the facts of a world that it lives now by the machine's time. A command beside the service compares them with
 * that time, and the clock of the world shows another.
 */
export async function liveByMachineTime({ service }: Pick<World, 'service'>): Promise<void> {
  const { config, store } = service.runtime
  const facts = openFacts(config, systemClock.now())
  await beginHeartbeat({ write: store.write, facts }, () => systemClock.now())
}
