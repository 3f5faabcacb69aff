import { useSignal } from '@preact/signals'
import { useAction } from '../api/action.ts'
import { send, sendOnce } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { count, dateTime, day } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'
import { browserName } from './browser-name.ts'

const SESSIONS = '/user/sessions'
const DEVICES = '/user/devices'

interface Visit {
  id: string
  current: boolean
  address: string
  user_agent: string
  created_on: string
  last_used_on: string
}

/** The user's sessions, and the browsers that the user has signed in with. */
export default function Sessions() {
  const sessions = useQuery(SESSIONS, (signal) => send('GET /user/sessions', {}, { signal }))
  const devices = useQuery(DEVICES, (signal) => send('GET /user/devices', {}, { signal }))
  const act = useAction(
    async (work: () => Promise<string>) => {
      toast({ text: await work(), tone: 'good' })
    },
    { invalidates: [SESSIONS, DEVICES] },
  )
  const isAsking = useSignal(false)
  const known = sessions.data?.sessions.length
  const others = sessions.data?.sessions.filter(({ current }) => !current).length ?? 0
  const end = ({ id }: Visit) =>
    act.run(async () => {
      await sendOnce('DELETE /user/sessions/:id', {}, { params: { id } })
      return 'The session has ended.'
    })
  const forget = ({ id }: Visit) =>
    act.run(async () => {
      await sendOnce('DELETE /user/devices/:id', {}, { params: { id } })
      return 'The device is forgotten, and its sessions have ended.'
    })
  const endOthers = () =>
    act.run(async () => {
      await sendOnce('POST /user/sessions/end-others', {})
      return 'All other sessions have ended.'
    })
  return (
    <>
      <PageHead title="Sessions" lead="Is there one that you do not know? End it, then change your password." />
      <div class="stack stack-loose">
        <FlawSummary error={act.error} />
        <Card
          title="Where you are signed in"
          flush
          actions={
            <>
              {others > 0 && (
                <Button small busy={act.busy} onClick={() => void endOthers()}>
                  End {count(others, 'other session', 'other sessions')}
                </Button>
              )}
              <Button small kind="quiet" onClick={() => (isAsking.value = true)}>
                Sign out everywhere…
              </Button>
            </>
          }
        >
          {sessions.error ? (
            <ErrorNote title="Sessions could not be loaded." error={sessions.error} retry={sessions.reload} />
          ) : (
            <Table
              caption="Sessions"
              rows={sessions.data?.sessions ?? null}
              busy={sessions.busy}
              row_key={({ id }) => id}
              columns={columns('End', end)}
            />
          )}
        </Card>
        <Card title="Devices" flush>
          <p class="account-note quiet">
            Browsers that you have signed in with. You get a message about a sign-in from any other.
          </p>
          {devices.error ? (
            <ErrorNote title="Devices could not be loaded." error={devices.error} retry={devices.reload} />
          ) : (
            <Table
              caption="Devices"
              rows={devices.data?.devices ?? null}
              busy={devices.busy}
              row_key={({ id }) => id}
              columns={columns('Forget', forget)}
              empty={<Empty sentence="No browser is known yet." />}
            />
          )}
        </Card>
      </div>
      {isAsking.value && (
        <ConfirmDialog
          title="Sign out everywhere?"
          verb={known ? `End ${count(known, 'session', 'sessions')}` : 'End every session'}
          danger
          onClose={() => (isAsking.value = false)}
          onConfirm={async () => {
            await sendOnce('DELETE /user/sessions', {})
            location.assign('/portal/login')
          }}
        >
          <p>
            Every browser that you are signed in with is signed out at once, this one included, and you sign in again.
            Keys and connected apps go on.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function columns(verb: string, act: (visit: Visit) => Promise<unknown>): Column<Visit>[] {
  return [
    {
      id: 'browser',
      head: 'Browser',
      card: 'title',
      cell: ({ user_agent, current }) => (
        <span title={user_agent}>
          {browserName(user_agent)} {current && <StatusBadge tone="accent">This browser</StatusBadge>}
        </span>
      ),
    },
    { id: 'address', head: 'Address', card: 'line', cell: ({ address }) => address },
    { id: 'since', head: 'Since', card: 'line', tight: true, cell: ({ created_on }) => day(created_on) },
    { id: 'used', head: 'Last used', card: 'line', tight: true, cell: ({ last_used_on }) => dateTime(last_used_on) },
    {
      id: 'act',
      head: <span class="visually-hidden">Change</span>,
      align: 'end',
      card: 'line',
      cell: (visit) =>
        !visit.current && (
          <Button small kind="quiet" onClick={() => void act(visit)}>
            {verb}
            <span class="visually-hidden"> {browserName(visit.user_agent)}</span>
          </Button>
        ),
    },
  ]
}
