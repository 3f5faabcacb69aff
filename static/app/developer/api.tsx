import { useState } from 'preact/hooks'
import { type ApiDocument, type Call, type Group, groupsOf } from '../../../src/http/docs/calls.ts'
import { useQuery } from '../api/query.ts'
import { request } from '../api/request.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../shell/place.ts'
import { Empty, Skeleton } from '../ui/callout.tsx'
import { classes } from '../ui/classes.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { PageHead } from '../ui/page.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ApiCall } from './api-call.tsx'

const DOCUMENT = '/general/api/v1/newsletter/openapi.json'

/** Every newsletter operation, to be read and tried. */
export default function Api({ query }: PageProps) {
  const { data, error, reload } = useQuery(DOCUMENT, loadGroups)
  const chosen = data?.flatMap((group) => group.calls.map((call) => ({ call, group })))
  const open = chosen?.find(({ call }) => call.name === query.operation)
  return (
    <>
      <PageHead
        title="API"
        lead="Read what an operation takes, and try it with your own session."
        secondary={<a href="/docs">Reference and guides</a>}
      />
      {error ? (
        <ErrorNote title="The operations could not be loaded." error={error} retry={reload} />
      ) : data ? (
        <div class={classes('api-explorer', open && 'api-open')}>
          <Operations groups={data} current={open?.call.name} />
          {open ? (
            <div class="stack">
              <a class="api-back" href={link('/api')}>
                All operations
              </a>
              <ApiCall key={open.call.name} call={open.call} schemas={open.group.schemas} project={query.project} />
            </div>
          ) : (
            <Empty sentence="Choose an operation." />
          )}
        </div>
      ) : (
        <Skeleton />
      )}
    </>
  )
}

async function loadGroups(signal: AbortSignal): Promise<Group[]> {
  const document = await request<ApiDocument>({ method: 'GET', path: DOCUMENT, is_repeatable: true, signal })
  return [...groupsOf(document, '/general/api/v1/newsletter', '/docs/api').values()]
}

function Operations({ groups, current }: { groups: readonly Group[]; current?: string }) {
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/)
  const isFound = ({ name, summary }: Call) => words.every((word) => `${name} ${summary}`.toLowerCase().includes(word))
  const found = groups
    .map((group) => ({ ...group, calls: group.calls.filter(isFound) }))
    .filter(({ calls }) => calls.length > 0)
  return (
    <nav class="api-list stack" aria-label="Operations">
      <SearchField label="Search operations" label_hidden placeholder="Search" value={search} onInput={setSearch} />
      {found.length === 0 && <p class="quiet">No operation matches.</p>}
      {found.map(({ name, calls }) => (
        <div key={name}>
          <h2 class="small quiet">{name}</h2>
          <ul>
            {calls.map((call) => (
              <li key={call.name}>
                <a
                  href={link('/api', { operation: call.name })}
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
