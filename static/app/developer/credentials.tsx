import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { invalidate, useQuery } from '../api/query.ts'
import { type App, APPS } from '../app-review/app-data.ts'
import type { PageProps } from '../page-props.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Empty } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { dateTime, day } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { AppFrame } from './app-frame.tsx'

type Secret = RouteResponse<'GET /user/developer/apps/:id/secrets'>['secrets'][number]

/** The client id and the secrets of an app. Two may be in use at once, so that one can replace the other. */
export default function Credentials({ params }: PageProps) {
  return (
    <AppFrame id={params.id!} tab="credentials">
      {(app) => (
        <>
          <Code label="Client id" text={app.client_id} wrap />
          {app.client_type === 'public' ? (
            <Callout title="A public app has no secret.">
              <p>It proves each authorization with PKCE.</p>
            </Callout>
          ) : (
            <Secrets app={app} />
          )}
        </>
      )}
    </AppFrame>
  )
}

function Secrets({ app: { id } }: { app: App }) {
  const name = `${APPS}/${id}/secrets`
  const { data, error, reload } = useQuery(name, (signal) =>
    send('GET /user/developer/apps/:id/secrets', {}, { params: { id }, signal }),
  )
  const [shown, setShown] = useState<string | null>(null)
  const [ending, setEnding] = useState<Secret | null>(null)
  const make = useAction(
    () => confirmed(() => sendOnce('POST /user/developer/apps/:id/secrets', {}, { params: { id } })),
    {
      invalidates: [name],
      done: ({ client_secret }) => setShown(client_secret),
    },
  )
  const end: Column<Secret> = {
    id: 'end',
    head: <span class="visually-hidden">Actions</span>,
    card: 'line',
    cell: (secret) =>
      secret.revoked_at === null && (
        <Button small kind="quiet" onClick={() => setEnding(secret)}>
          Revoke…<span class="visually-hidden"> the secret that ends with {secret.hint}</span>
        </Button>
      ),
  }
  return (
    <Card
      title="Secrets"
      flush
      actions={
        <Button small kind="primary" icon="plus" main busy={make.busy} onClick={() => void make.run(undefined)}>
          New secret
        </Button>
      }
    >
      <FlawSummary title="No secret was made." error={make.error} />
      {error ? (
        <ErrorNote title="Secrets could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Secrets"
          rows={data?.secrets ?? null}
          row_key={(secret) => secret.id}
          columns={[...COLUMNS, end]}
          empty={<Empty sentence="It has no secret." />}
        />
      )}
      {shown !== null && (
        <Dialog
          stays
          title="The new secret"
          onClose={() => setShown(null)}
          actions={
            <Button kind="primary" onClick={() => setShown(null)}>
              I have copied it
            </Button>
          }
        >
          <div class="stack">
            <p>It is shown this once. The one before works until you revoke it.</p>
            <Code label="Client secret" text={shown} wrap />
          </div>
        </Dialog>
      )}
      {ending && (
        <ConfirmDialog
          title={`Revoke the secret that ends with ${ending.hint}?`}
          verb="Revoke 1 secret"
          danger
          onClose={() => setEnding(null)}
          onConfirm={async () => {
            const params = { id, secretId: ending.id }
            await confirmed(() => sendOnce('DELETE /user/developer/apps/:id/secrets/:secretId', {}, { params }))
            invalidate(name)
          }}
        >
          <p>
            {ending.last_used_on === null
              ? 'It was never used.'
              : `It was last used on ${dateTime(ending.last_used_on)}. Whoever uses it is refused at once.`}
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

const COLUMNS: readonly Column<Secret>[] = [
  { id: 'hint', head: 'Secret', card: 'title', cell: ({ hint }) => <code>…{hint}</code> },
  {
    id: 'state',
    head: 'State',
    card: 'line',
    cell: ({ revoked_at }) =>
      revoked_at === null ? <StatusBadge tone="good">In use</StatusBadge> : <StatusBadge>Revoked</StatusBadge>,
  },
  { id: 'made', head: 'Made', card: 'line', tight: true, cell: ({ created_on }) => day(created_on) },
  {
    id: 'used',
    head: 'Last used',
    card: 'line',
    tight: true,
    cell: ({ last_used_on }) => (last_used_on === null ? 'Never' : dateTime(last_used_on)),
  },
]
