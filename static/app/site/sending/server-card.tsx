import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import type { ApiError } from '../../api/errors.ts'
import type { Connection } from '../../api/operations.d.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { becomesFirstDefault } from './first-default.ts'
import { hasHost, type Provider } from './providers.ts'
import { relayMeaning } from '../../relay-words.ts'
import { type Server, ServerFields } from './server-fields.tsx'

interface Props {
  connection: Connection
  provider: Exclude<Provider, 'sandbox'>
}

const serverOf = ({ host, port, secure, username }: Connection): Server => ({
  ...{ host, port: String(port), secure, username, password: '' },
})

/** Server and login of a connection. The service signs in with a change before it is saved. */
export function ServerCard({ connection, provider }: Props) {
  const { id, password_set } = connection
  const [server, setServer] = useState(() => serverOf(connection))
  const changes = changesOf(connection, provider, server)
  const save = useAction(
    async () => {
      const { connection: saved } = await mutate('connections/update', { connection_id: id, ...changes, test: true })
      return { saved, isFirst: await becomesFirstDefault(id) }
    },
    {
      invalidates: ['connections/', 'settings/', 'campaigns/readiness'],
      done: ({ saved, isFirst }) => {
        setServer(serverOf(saved))
        const text = `The connection works, and is saved${isFirst ? ' as the default' : ''}.`
        toast({ text, tone: 'good' })
      },
    },
  )
  const isOtherHost = changes.host !== undefined
  const reason =
    Object.keys(changes).length === 0
      ? 'Nothing is changed.'
      : isOtherHost && password_set && server.password === ''
        ? 'Another host needs the password again.'
        : null
  return (
    <Card title="Server and login" id="server">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === null && !save.busy) void save.run(undefined)
        }}
      >
        <FlawSummary title={titleOf(save.error)} error={save.error} />
        <ServerFields
          provider={provider}
          server={server}
          password_hint={
            !password_set
              ? undefined
              : isOtherHost
                ? 'The stored one is not sent to another host.'
                : 'Leave it empty to keep the stored one.'
          }
          flawOf={(path) => save.error?.flawOf(path) ?? null}
          change={(change) => setServer({ ...server, ...change })}
        />
        <div class="row">
          <Button type="submit" busy={save.busy} disabled_reason={reason}>
            Test and save
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** That the test failed, and what the words of the relay mean. */
function titleOf(error: ApiError | null): string {
  if (error?.code !== 'NOT_READY') return 'Nothing was saved.'
  return ['Nothing was saved: the test failed.', relayMeaning(error.message)].filter(Boolean).join(' ')
}

/** The fields that differ from those of the connection. An empty field keeps what is stored. */
function changesOf(connection: Connection, provider: Provider, { host, port, secure, username, password }: Server) {
  const isHost = hasHost(provider) && host !== '' && host.toLowerCase() !== connection.host
  return {
    ...(isHost ? { host } : {}),
    ...(provider === 'smtp' && port !== '' && Number(port) !== connection.port ? { port: Number(port) } : {}),
    ...(provider === 'smtp' && secure !== connection.secure ? { secure } : {}),
    ...(username !== connection.username ? { username } : {}),
    ...(password === '' ? {} : { password }),
  }
}
