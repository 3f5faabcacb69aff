import { can, whoMay } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Skeleton } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { PageHead } from '../../ui/page.tsx'
import { DomainCard } from './domain-card.tsx'
import { EndCards } from './end-cards.tsx'
import { NameCard } from './name-card.tsx'
import { useProject } from './project-data.ts'
import { UsageCard } from './usage-card.tsx'

/** The project's name, domain, usage and deletion. */
export default function Settings() {
  const { data, error, reload } = useProject()
  return (
    <>
      <PageHead
        title="Settings"
        lead={
          <>
            Sender, footer and language of letters are set under <a href={link('/sending')}>Sending</a>.
          </>
        }
      />
      {!can('administrator') && <p class="page-note">{whoMay('Changing these', 'administrator')}</p>}
      {error && <ErrorNote title="The project could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <div class="project-settings">
          <NameCard project={data.project} />
          <DomainCard project={data.project} />
          <UsageCard />
          <EndCards project={data.project} />
        </div>
      )}
    </>
  )
}
