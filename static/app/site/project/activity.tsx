import { useLocation } from 'preact-iso'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AuditTab } from './audit-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'

const TABS = [
  { id: 'jobs', label: 'Jobs' },
  { id: 'people', label: 'Who did what' },
] as const

/** The jobs and the audit log of the project. */
export default function Activity({ query }: PageProps) {
  const { route } = useLocation()
  const hrefOf = (id: (typeof TABS)[number]['id']) => link('/activity', { tab: id === 'jobs' ? null : id })
  const tab = query.tab === 'people' ? 'people' : 'jobs'
  return (
    <>
      <PageHead title="Activity" />
      <Tabs label="Kinds of activity" tabs={TABS} value={tab} href={hrefOf} onChange={(id) => route(hrefOf(id))}>
        {tab === 'jobs' && <JobsTab query={query} />}
        {tab === 'people' &&
          (can('administrator') ? (
            <AuditTab query={query} />
          ) : (
            <p class="page-note">{whoMay('Reading who did what', 'administrator')}</p>
          ))}
      </Tabs>
    </>
  )
}
