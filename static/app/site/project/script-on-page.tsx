import { useState } from 'preact/hooks'
import { send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { Callout, Skeleton } from '../../ui/callout.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Script } from './apps-data.ts'

interface PageDrawerProps {
  script: Script
  /** How many pages and posts are published. */
  published: number
  onClose(): void
}

/** A published page with one script and without it. */
export function PageDrawer({ script, published, onClose }: PageDrawerProps) {
  const { data, error, reload } = useQuery('/project/pages/list', () =>
    send('POST /project/pages/list', { project_id: projectId() }),
  )
  const paths = data?.pages.filter((page) => page.published).map(({ path }) => path)
  const all = paths && published > paths.length ? [...paths, '/posts'] : paths
  return (
    <Drawer title={`${script.name} on a page`} onClose={onClose}>
      {error && <ErrorNote title="The pages could not be loaded." error={error} retry={reload} />}
      {!all && !error && <Skeleton lines={6} />}
      {all && (all.length > 0 ? <Pages script={script} paths={all} /> : <p>The site has no page yet.</p>)}
    </Drawer>
  )
}

type Side = 'with' | 'without'

function Pages({ script: { connection_id, name }, paths }: { script: Script; paths: readonly string[] }) {
  const [path, setPath] = useState(paths[0]!)
  const [side, setSide] = useState<Side>('with')
  const { data, error, reload } = useQuery(`/project/scripts/preview ${connection_id} ${path}`, () =>
    send('POST /project/scripts/preview', { project_id: projectId(), connection_id, path }),
  )
  const address = data && new URL(side === 'with' ? data.with_script : data.without_script)
  return (
    <div class="stack">
      <Select label="Page" value={path} onInput={setPath} options={paths.map((value) => ({ value, label: value }))} />
      {error && <ErrorNote title="The page could not be loaded." error={error} retry={reload} />}
      <Tabs<Side>
        label="How the page is shown"
        tabs={[
          { id: 'with', label: `With ${name}` },
          { id: 'without', label: 'Without it' },
        ]}
        value={side}
        onChange={setSide}
      >
        {address && (
          <iframe
            class="page-with-script"
            title={side === 'with' ? `${path} with ${name}` : `${path} without ${name}`}
            sandbox="allow-scripts"
            src={address.pathname + address.search}
          />
        )}
      </Tabs>
      <Callout>
        <p>
          The script really runs in this frame, without waiting for consent. The other scripts of the page are as
          visitors get them.
        </p>
        <p>
          Cookies and storage are closed to it here, because the frame shares its address with this service. A script
          that needs them may show less than on the domain of your site, or stop with an error.
        </p>
      </Callout>
    </div>
  )
}
