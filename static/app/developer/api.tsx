import { useState } from 'preact/hooks'
import { type ApiDocument, type Call, type CallGroup, groupsOf } from '../../../src/shared/calls.ts'
import { useQuery } from '../api/query.ts'
import { request } from '../api/request.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Empty, Skeleton } from '../ui/callout.tsx'
import { classes } from '../ui/classes.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { PageHead } from '../ui/page.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ApiCall } from './api-call.tsx'

const ROOT = '/general/api/v1'

/** Every newsletter operation and every other route, to be read and tried. */
export default function Api({ query }: PageProps) {
  const { data, error, reload } = useQuery(`${ROOT}/openapi.json`, loadGroups)
  const chosen = data?.flatMap((group) => group.calls.map((call) => ({ call, group })))
  const open = chosen?.find(({ call }) => call.name === query.operation)
  return (
    <>
      <PageHead
        title="API"
        lead="Read what a call takes, and try it with your own session or an API key."
        secondary={<a href="/docs">Reference and guides</a>}
      />
      {error ? (
        <ErrorNote title="The calls could not be loaded." error={error} retry={reload} />
      ) : data ? (
        <div class={classes('api-explorer', open && 'api-open')}>
          <Calls groups={data} current={open?.call.name} project={query.project} />
          {open ? (
            <div class="stack">
              <a class="api-back" href={link('/api', { project: query.project })}>
                All calls
              </a>
              <ApiCall key={open.call.name} call={open.call} group={open.group} project={query.project} />
            </div>
          ) : (
            <Empty sentence="Choose a call." />
          )}
        </div>
      ) : (
        <Skeleton />
      )}
    </>
  )
}

async function loadGroups(signal: AbortSignal): Promise<CallGroup[]> {
  const load = (path: string) => request<ApiDocument>({ method: 'GET', path, is_repeatable: true, signal })
  const [newsletter, platform] = await Promise.all([
    load(`${ROOT}/newsletter/openapi.json`),
    load(`${ROOT}/openapi.json`),
  ])
  return [
    ...groupsOf(newsletter, `${ROOT}/newsletter`, '/docs/api').values(),
    ...groupsOf(platform, '', '/docs/platform').values(),
  ]
}

interface CallsProps {
  groups: readonly CallGroup[]
  current?: string
  /** The chosen project, which stays in the address. */
  project?: string
}

function Calls({ groups, current, project }: CallsProps) {
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/)
  const isFound = ({ name, summary }: Call) => words.every((word) => `${name} ${summary}`.toLowerCase().includes(word))
  const found = groups
    .map((group) => ({ ...group, calls: group.calls.filter(isFound) }))
    .filter(({ calls }) => calls.length > 0)
  return (
    <nav class="api-list stack" aria-label="Calls">
      <SearchField label="Search calls" label_hidden placeholder="Search" value={search} onInput={setSearch} />
      {found.length === 0 && <p class="quiet">No call matches.</p>}
      {found.map(({ title, href, calls }) => (
        <div key={href}>
          <h2 class="small quiet">{title}</h2>
          <ul>
            {calls.map((call) => (
              <li key={call.name}>
                <a
                  href={link('/api', { operation: call.name, project })}
                  aria-current={call.name === current ? 'page' : undefined}
                >
                  {call.name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
