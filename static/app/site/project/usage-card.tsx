import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { bytes, day, number } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'

type Usage = RouteResponse<'POST /project/usage'>['usage']
type Stored = Usage['stored'][number]

const STORED: Record<Stored['kind'], string> = {
  suppressions: 'Suppressions',
  pages: 'Pages',
  posts: 'Posts',
  directory_items: 'Directory entries',
  form_entries: 'Form entries',
  files: 'Pictures',
  site_files: 'Files of the site',
}

/** The usage of the project, beside its limits. */
export function UsageCard() {
  const { data, error, reload } = useQuery('/project/usage', () =>
    send('POST /project/usage', { project_id: projectId() }),
  )
  return (
    <Card title="Usage and limits">
      {error && <ErrorNote title="The usage could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && <Bars usage={data.usage} />}
    </Card>
  )
}

function Bars({ usage: { contacts, messages_this_month: messages, members, api_keys, stored } }: { usage: Usage }) {
  return (
    <>
      <div class="usage">
        <Bar name="Contacts" used={contacts.used} limit={contacts.limit} />
        <Bar name="Messages this month" used={messages.used} limit={messages.limit} />
        <Bar name="Members" used={members.used} limit={members.limit} />
        <Bar name="API keys" used={api_keys.used} limit={api_keys.limit} />
        {stored.map((of) => (
          <Bar key={of.kind} name={STORED[of.kind]} {...fuller(of)} />
        ))}
      </div>
      <p class="small quiet">
        The month of messages begins again on {day(messages.resets_on, 'UTC')}. The operator of the service sets the
        limits.
      </p>
    </>
  )
}

/** The limit that is closer to being reached: the number of things, or their size. */
function fuller({ rows, row_limit, bytes: size, byte_limit }: Stored): Omit<BarProps, 'name'> {
  const isSize = byte_limit > 0 && size / byte_limit > rows / row_limit
  return isSize ? { used: size, limit: byte_limit, write: bytes } : { used: rows, limit: row_limit }
}

interface BarProps {
  name: string
  used: number
  /** Null: no limit. */
  limit: number | null
  write?: (value: number) => string
}

function Bar({ name, used, limit, write = number }: BarProps) {
  return (
    <Progress
      label={name}
      value={limit === null ? 0 : used}
      max={limit ?? 1}
      note={
        <span class="number quiet">
          {write(used)} {limit === null ? 'so far, no limit' : `of ${write(limit)}`}
        </span>
      }
    />
  )
}
