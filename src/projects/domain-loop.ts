import { DAY_MS, HOUR_MS } from '../clock.ts'
import { note } from '../audit/record.ts'
import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import { hostOf } from '../accounts/message-templates.ts'
import type { Sender } from '../accounts/notices.ts'
import { type ResolveTxt, systemTxt } from '../mail/dns.ts'
import type { Loop, LoopContext } from '../runtime.ts'
import type { Tx } from '../store/open.ts'
import { projects } from '../store/tables/accounts.ts'
import { domainRecord, lookUpDomain, noteLookup } from './domains.ts'
import { tellAdministrators } from './notices.ts'

type Project = typeof projects.$inferSelect

const LOOKUPS_AT_ONCE = 20

/**
 * Looks up the records of proven domains, each once a day (docs/api/sites.md#domains).
 *
 * @param resolveTxt reads TXT records
 */
export function domainLoop(resolveTxt: ResolveTxt = systemTxt): Loop {
  return { name: 'domains', pattern: '0 37 * * * *', tick: (context) => checkDomains(context, resolveTxt) }
}

async function checkDomains({ store, clock, keys, base_url, log, wake }: LoopContext, resolveTxt: ResolveTxt) {
  const now = clock.now()
  const due = await store.db
    .select()
    .from(projects)
    .where(and(isNotNull(projects.domain_proven_at), lte(projects.domain_checked_at, now - DAY_MS)))
    .orderBy(asc(projects.domain_checked_at), asc(projects.id))
    .limit(LOOKUPS_AT_ONCE)
  const found = await Promise.all(due.map((project) => lookUpDomain(project, project.domain!, resolveTxt)))
  for (const [index, project] of due.entries()) {
    const state = found[index]!
    const fate = await store.write(async (tx) => {
      if (state === 'no_answer') {
        const next_hour = { domain_checked_at: now - DAY_MS + HOUR_MS }
        await tx.update(projects).set(next_hour).where(eq(projects.id, project.id))
        return null
      }
      const change = await noteLookup(tx, project, state, now)
      if (change !== null) await tell(tx, { keys, base_url, now }, project, change)
      if (change === 'ended')
        note(tx, { action: 'domain-end', target: `project:${project.public_id}`, project_id: project.id })
      return change
    })
    if (fate === null) continue
    log.warn('the record of a domain is missing', { project_id: project.public_id, domain: project.domain, fate })
    wake('mail')
  }
  return due.length === LOOKUPS_AT_ONCE
}

/** Tells the administrators of a project what happened to its domain. */
async function tell(tx: Tx, sender: Sender, project: Project, change: 'lost' | 'ended'): Promise<void> {
  const domain = project.domain!
  const { name, value } = domainRecord(project, domain)
  const parts = {
    subject: change === 'lost' ? 'The record of your domain is missing' : 'Your domain is not served any more',
    paragraphs: [
      `The domain ${domain} of the project “${project.name}” at ${hostOf(sender.base_url)} ` +
        (change === 'lost'
          ? 'has no record in the DNS that proves it. It is served for seven more days.'
          : 'had no record in the DNS that proves it for seven days, so its pages are not served there any more.'),
      `Publish this TXT record: ${name} with the value ${value}` +
        (change === 'lost' ? '.' : ', and verify the domain again.'),
    ],
  }
  await tellAdministrators(tx, sender, { project_id: project.id, kind: 'domain_notice' }, parts)
}
