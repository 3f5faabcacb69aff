import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY_MS, FixedClock, HOUR_MS } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { domainLoop } from '../../src/projects/domain-loop.ts'
import type { LoopContext } from '../../src/runtime.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { queuedFor, senderAt } from '../support/queued-mail.ts'
import { newProject, newUser, NOW, sharedStore } from '../support/shared-store.ts'

test('Each domain has a fate of its own: found, missing, or asked for again in an hour.', async () => {
  const name = crypto.randomUUID()
  const fates = ['found', 'missing', 'silent', 'away'] as const
  const proofs: Record<string, string> = {}
  const ids = []
  for (const fate of fates) {
    const [public_id, domain] = [newId('prj'), `${fate}.${name}.news`]
    proofs[`_masthead.${domain}`] = `masthead-project=${public_id}`
    const proven = { domain, domain_proven_at: 0, domain_checked_at: NOW - DAY_MS }
    const id = await newProject({ public_id, ...proven, ...(fate === 'away' ? { domain_lost_at: NOW - 1 } : {}) })
    await newUser({ email: `${fate}@${name}.example` }, [id, 'owner'])
    ids.push(id)
  }
  const resolveTxt = async (host: string) => {
    if (host.includes('silent.')) throw Object.assign(new Error(), { code: 'ESERVFAIL' })
    return host.includes('found.') ? [[proofs[host]!]] : []
  }
  const [warned, woken]: [[string, string][], string[]] = [[], []]
  const { db, write } = await sharedStore()
  const log = {
    warn: (_: string, fields: { domain: string; fate: string }) => warned.push([fields.domain, fields.fate]),
  }
  const context = {
    ...{ ...senderAt(), store: { db, write }, clock: new FixedClock(NOW), log },
    wake: (loop: string) => woken.push(loop),
  } as unknown as LoopContext
  await domainLoop(resolveTxt as never).tick(context)
  const rows = []
  for (const id of ids) {
    const [row] = await db.select().from(projects).where(eq(projects.id, id))
    rows.push([row!.domain_checked_at! - NOW, row!.domain_lost_at])
  }
  expect(rows).toEqual([
    [0, null],
    [0, NOW],
    [HOUR_MS - DAY_MS, null],
    [0, NOW - 1],
  ])
  // Other tests leave domains in the store, too.
  const mine = warned.filter(([domain]) => domain.endsWith(`${name}.news`))
  expect([mine, woken]).toEqual([[[`missing.${name}.news`, 'lost']], expect.arrayContaining(['mail'])])
  for (const fate of fates) expect(await queuedFor(`${fate}@${name}.example`)).toHaveLength(fate === 'missing' ? 1 : 0)
})
