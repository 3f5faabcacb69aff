import { useLocation } from 'preact-iso'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { day } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { StateMark } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type PageSummary, usePages, useSiteFiles } from './content.ts'
import { SiteFiles } from './site-files.tsx'

const TABS = ['pages', 'files'] as const

/** The pages of the site, and the files that they use. */
export default function Pages({ query }: PageProps) {
  const { route } = useLocation()
  const pages = usePages()
  const files = useSiteFiles()
  const tab = TABS.find((name) => name === query.tab) ?? 'pages'
  return (
    <>
      <PageHead
        title="Pages"
        lead={
          can('editor')
            ? 'Pages are whole HTML documents. Style sheets, pictures and fonts stand beside them.'
            : whoMay('Changing pages', 'editor')
        }
        primary={can('editor') && tab === 'pages' && <NewPage />}
      />
      <Tabs
        label="What the site is made of"
        value={tab}
        onChange={(next) => route(link('/pages', { tab: next === 'pages' ? null : next }), true)}
        tabs={[
          { id: 'pages', label: 'Pages', count: pages.data?.pages.length },
          { id: 'files', label: 'Files', count: files.data?.files.length },
        ]}
      >
        {tab === 'files' ? (
          <SiteFiles files={files} />
        ) : pages.error && !pages.data ? (
          <ErrorNote title="Pages could not be loaded." error={pages.error} retry={pages.reload} />
        ) : (
          <Table
            caption="Pages"
            columns={COLUMNS}
            rows={pages.data?.pages ?? null}
            busy={pages.busy}
            row_key={({ id }) => String(id)}
            row_href={({ id }) => link(`/pages/${id}`)}
            empty={
              <Empty
                sentence="The service can be your website: a page is an HTML document at a path of your site."
                action={can('editor') && <NewPage />}
              />
            }
          />
        )}
      </Tabs>
    </>
  )
}

function NewPage() {
  return (
    <Button kind="primary" icon="plus" main href={link('/pages/new')}>
      New page
    </Button>
  )
}

const COLUMNS: readonly Column<PageSummary>[] = [
  { id: 'title', head: 'Title', card: 'title', cell: ({ title }) => title },
  { id: 'path', head: 'Path', cell: ({ path }) => <code>{path}</code> },
  {
    id: 'state',
    head: 'State',
    tight: true,
    cell: ({ published }) => <StateMark state={published ? 'published' : 'draft'} />,
  },
  { id: 'changed', head: 'Changed', tight: true, cell: ({ last_update }) => day(last_update) },
]
