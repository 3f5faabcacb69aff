import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { SCOPE_KINDS, SCOPES } from '../../../../src/shared/scopes.ts'
import { sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { invalidate } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { day, enumeration } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { StatusBadge } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Key, KEYS, useKeys } from './keys-data.ts'
import { nameOf, usePeople } from './members-data.ts'
import { type Made, NewKey } from './new-key.tsx'

/** The API keys of the project. */
export default function Keys() {
  const { data: kept, error, busy, reload } = useKeys()
  const making = useSignal(false)
  const made = useSignal<Made | null>(null)
  const revoking = useSignal<Key | null>(null)
  const people = usePeople().data
  const names = new Map(people?.members.map((member) => [member.user_id, nameOf(member)]))
  const make = (
    <Button kind="primary" icon="plus" main onClick={() => (making.value = true)}>
      New key
    </Button>
  )
  return (
    <>
      <PageHead
        title="API keys"
        count={kept?.api_keys.length}
        lead="A program with a key acts for its maker in this project, never with more than their role."
        primary={can('administrator') && make}
      />
      {!can('administrator') && (
        <p class="page-note">{whoMay('Making a key', 'administrator')} Your own keys are listed here.</p>
      )}
      {error ? (
        <ErrorNote title="Keys could not be loaded." error={error} retry={reload} />
      ) : (
        <div class="stack stack-loose">
          {made.value && <MadeKey of={made.value} onStored={() => (made.value = null)} />}
          <Card flush>
            <Table
              caption="API keys"
              columns={columns(names, (key) => (revoking.value = key))}
              rows={kept?.api_keys ?? null}
              busy={busy}
              row_key={({ id }) => id}
              empty={
                <Empty
                  sentence="Programs of your own, such as a website or a nightly import, sign in with a key."
                  action={can('administrator') && make}
                />
              }
            />
          </Card>
          <Card title="How a program uses it">
            <div class="stack">
              <p>
                The key is the whole value of the header <code>Authorization</code>. Each key is shown once, when it is
                made: keep it where your program keeps its secrets.
              </p>
              <Code label="Try it" text={curl('$MASTHEAD_KEY')} wrap />
            </div>
          </Card>
        </div>
      )}
      {making.value && (
        <NewKey
          onClose={() => (making.value = false)}
          onMade={(key) => {
            making.value = false
            made.value = key
          }}
        />
      )}
      {revoking.value && <Revoke of={revoking.value} onClose={() => (revoking.value = null)} />}
    </>
  )
}

/** A first call for a program. It only reads, so trying it changes nothing. */
function curl(key: string): string {
  return [
    `curl ${data.base_url}/general/api/v1/newsletter/overview`,
    `-H "Authorization: ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '{"project_id":"${projectId()}"}'`,
  ].join(' \\\n  ')
}

function columns(names: ReadonlyMap<string, string>, revoke: (key: Key) => void): Column<Key>[] {
  return [
    {
      id: 'name',
      head: 'Key',
      card: 'title',
      cell: ({ name, hint }) => (
        <span class="person">
          <span class="person-name">{name}</span>
          <span class="quiet small">
            ends in <code>{hint}</code>
          </span>
        </span>
      ),
    },
    { id: 'may', head: 'May', cell: (key) => <Limits of={key} /> },
    { id: 'by', head: 'Made by', cell: ({ created_by }) => names.get(created_by) ?? 'somebody who left' },
    { id: 'on', head: 'Made', tight: true, cell: ({ created_on }) => day(created_on) },
    {
      id: 'used',
      head: 'Last used',
      tight: true,
      cell: ({ last_used_on }) => (last_used_on === null ? <span class="quiet">Not yet</span> : day(last_used_on)),
    },
    { id: 'end', head: 'Ends', tight: true, cell: ({ expires_on }) => <End at={expires_on} /> },
    {
      id: 'do',
      head: <span class="visually-hidden">Change</span>,
      align: 'end',
      cell: (key) => (
        <Button small kind="quiet" onClick={() => revoke(key)}>
          Revoke<span class="visually-hidden"> {key.name}</span>
        </Button>
      ),
    },
  ]
}

/** What a key may do. */
function Limits({ of: { role, scopes } }: { of: Key }) {
  const kinds = scopes?.map((scope) => SCOPE_KINDS[SCOPES[scope]!.kind].toLowerCase())
  return (
    <span class="person">
      <span>{kinds === undefined ? 'Everything' : capital(enumeration(kinds))}</span>
      <span class="quiet small">{role === null ? 'as its maker may' : `at most as ${role}`}</span>
    </span>
  )
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** The last day of a key. An end at midnight belongs to the day before, which the maker of the key chose. */
function End({ at }: { at: string | null }) {
  if (at === null) return <span class="quiet">Never</span>
  const last = day(new Date(Date.parse(at) - 1).toISOString())
  return Date.parse(at) <= Date.now() ? <StatusBadge tone="wait">Ended {last}</StatusBadge> : <>{last}</>
}

/** The new key, until the user has stored it. It is shown only here. */
function MadeKey({ of: { api_key, key }, onStored }: { of: Made; onStored(): void }) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => card.current!.focus(), [key])
  return (
    <div ref={card} tabIndex={-1} class="made-key" role="group" aria-label={`The key “${api_key.name}”`}>
      <Card
        title={`The key “${api_key.name}”`}
        actions={
          <Button kind="primary" onClick={onStored}>
            I have stored it
          </Button>
        }
      >
        <div class="stack">
          <p>
            <strong>This is the only time that it is shown.</strong> The service keeps no copy. Store it where your
            program keeps its secrets.
          </p>
          <Code label="Key" text={key} wrap />
          <Code label="A first call with it" text={curl(key)} wrap />
        </div>
      </Card>
    </div>
  )
}

function Revoke({ of: { id, name, hint }, onClose }: { of: Key; onClose(): void }) {
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      verb="Revoke the key"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await sendOnce('POST /project/api-keys/revoke', { project_id: projectId(), api_key_id: id })
        invalidate(KEYS)
        toast({ text: `“${name}” is revoked.` })
      }}
    >
      <p>
        The program that uses the key ending in <code>{hint}</code> is refused from its next call on. A revoked key
        cannot come back.
      </p>
    </ConfirmDialog>
  )
}
