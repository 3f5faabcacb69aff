import { test } from 'bun:test'
import { h } from 'preact'
import type { Role } from '../../../../src/store/tables/accounts.ts'
import { useTab } from '../../../support/tab.ts'
import type { Script } from '../../../../static/app/site/project/apps-data.ts'
import { DomainCard } from '../../../../static/app/site/project/domain-card.tsx'
import type { OwnProject } from '../../../../static/app/site/project/project-data.ts'
import { ScriptLine } from '../../../../static/app/site/project/script-line.tsx'
import { drawnOutline } from '../../../support/drawn.ts'
import { createNamer, expectRecorded } from '../../../support/recorded.ts'

const tab = useTab()
const SCRIPTS = { on: 0, after_consent: 0, off: 0, not_running: 0 } satisfies Record<Script['state'], 0>
const DOMAINS = { unproven: 0, proven: 0, lost: 0 } satisfies Record<NonNullable<OwnProject['domain_status']>, 0>
const ROLES: Role[] = ['member', 'administrator']
const SCRIPT = {
  ...{ connection_id: 4, name: 'Visits', type: 'Analytics', placement: 'HTML Head', enabled: true },
  connected_on: '2026-05-03T12:00:00.000Z',
}
const RECORD = { type: 'TXT', name: '_masthead.harbour.example', value: 'masthead=abc' }
const DOMAIN = { slug: 'harbour', domain: 'harbour.example', domain_record: RECORD }

test('The scripts and the domain of a project are drawn in each state, for each reader, as recorded.', async () => {
  const named = createNamer()
  const out: string[] = []
  for (const role of ROLES) {
    tab.data.project!.role = role
    for (const state of Object.keys(SCRIPTS)) {
      await tab.draw(h(ScriptLine, { script: { ...SCRIPT, state } as Script, pages: 3 }))
      out.push(`${role}, script ${state}`, ...drawnOutline(tab.body, named))
    }
    for (const domain_status of Object.keys(DOMAINS)) {
      await tab.draw(h(DomainCard, { project: { ...DOMAIN, domain_status } as OwnProject }))
      out.push(`${role}, domain ${domain_status}`, ...drawnOutline(tab.body, named))
    }
  }
  expectRecorded('app/states-of-projects.txt', out.join('\n'))
})
