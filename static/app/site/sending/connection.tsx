import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAction, useMutation } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import { data } from '../../api/data.ts'
import { invalidate, useRead } from '../../api/query.ts'
import type { Connection as ConnectionRecord } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { useSendingAttention } from '../../attention.ts'
import { link } from '../../api/link.ts'
import { HOME_CONNECTIONS } from '../home/home-requests.ts'
import { Button } from '../../ui/button.tsx'
import { Callout, Empty, Skeleton } from '../../ui/callout.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { dateTime } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { BounceCard } from './bounce-card.tsx'
import { DnsCard } from './dns-card.tsx'
import { becomesFirstDefault } from './first-default.ts'
import { PaceCard } from './pace-card.tsx'
import { relayMeaning } from '../../relay-words.ts'
import { PROVIDERS } from './providers.ts'
import { ServerCard } from './server-card.tsx'
import { ConnectionState } from './sending.tsx'

const AGAIN = ['connections/', 'settings/', 'campaigns/readiness'] as const

/** One connection: its state, server and login, DNS records, limits and webhook. */
export default function Connection({ params }: PageProps) {
  const { data: listed, error, reload } = useRead('connections/list', HOME_CONNECTIONS)
  useSendingAttention(listed?.items)
  const settings = useRead('settings/get', {}).data?.settings
  const connection = listed?.items.find(({ id }) => id === Number(params.id))
  if (error) return <ErrorNote title="The connection could not be loaded." error={error} retry={reload} />
  if (!listed) return <Skeleton lines={8} />
  if (!connection)
    return (
      <>
        <PageHead title="Connection" back={{ href: link('/sending'), label: 'Sending' }} />
        <Empty sentence="There is no such connection. It may have been deleted." />
      </>
    )
  const isDefault = settings?.default_connection_id === connection.id
  return (
    <div class="connection">
      <Head connection={connection} isDefault={isDefault} />
      {connection.provider !== 'sandbox' && can('administrator') && (
        <ServerCard key={`server ${connection.id}`} connection={connection} provider={connection.provider} />
      )}
      {connection.provider !== 'sandbox' && <DnsCard key={connection.id} connection={connection} />}
      {connection.provider !== 'sandbox' && <PaceCard connection={connection} />}
      {connection.provider !== 'sandbox' && can('administrator') && <BounceCard connection={connection} />}
    </div>
  )
}

function Head({ connection, isDefault }: { connection: ConnectionRecord; isDefault: boolean }) {
  const { route } = useLocation()
  const { id, name, provider, host, port, username, verified_at, last_error } = connection
  const [isDeleting, setDeleting] = useState(false)
  const test = useAction(
    async () => {
      const { ok } = await mutate('connections/test', { connection_id: id })
      return ok ? { isFirst: await becomesFirstDefault(id) } : null
    },
    {
      invalidates: AGAIN,
      done: (works) =>
        works &&
        toast({
          text: works.isFirst ? 'The connection works, and is the default now.' : 'The connection works.',
          tone: 'good',
        }),
    },
  )
  const letter = useMutation('connections/test', {
    invalidates: AGAIN,
    done: ({ ok }) => ok && toast({ text: `A message to ${data.user.email} has left.`, tone: 'good' }),
  })
  const choose = useMutation('settings/update', { invalidates: AGAIN })
  return (
    <>
      <PageHead
        title={name}
        lead={PROVIDERS[provider].name}
        back={{ href: link('/sending'), label: 'Sending' }}
        primary={
          can('administrator') && (
            <Button kind="primary" main busy={test.busy} onClick={() => void test.run(undefined)}>
              Test the connection
            </Button>
          )
        }
        secondary={
          can('administrator') && (
            <>
              <Button busy={letter.busy} onClick={() => void letter.run({ connection_id: id, email: data.user.email })}>
                Send a message to me
              </Button>
              {!isDefault && (
                <Button
                  busy={choose.busy}
                  disabled_reason={
                    verified_at === null
                      ? last_error === null
                        ? 'Test it first: campaigns would wait for it.'
                        : 'Its test failed: campaigns would wait for it.'
                      : null
                  }
                  onClick={() => void choose.run({ default_connection_id: id })}
                >
                  Make it the default
                </Button>
              )}
            </>
          )
        }
      />
      {!can('administrator') && <p class="quiet">{whoMay('Changing connections', 'administrator')}</p>}
      <FlawSummary error={test.error ?? letter.error ?? choose.error} />
      {last_error !== null && (
        <Callout tone="bad" title={relayMeaning(last_error) ?? 'The relay did not take the last message or sign-in.'}>
          <p class="address">{last_error}</p>
        </Callout>
      )}
      <Card>
        <Facts
          facts={[
            { label: 'State', value: <ConnectionState connection={connection} /> },
            { label: 'Last success', value: verified_at === null ? 'None yet' : dateTime(verified_at) },
            ...(provider === 'sandbox'
              ? [{ label: 'Messages', value: <a href={link('/mailbox')}>Open the mailbox</a> }]
              : [
                  { label: 'Host', value: `${host}:${port}` },
                  { label: 'User', value: username || 'None' },
                ]),
            ...(isDefault ? [{ label: 'Default', value: 'Campaigns that name no other leave through it.' }] : []),
          ]}
        />
        {can('administrator') && (
          <Button small icon="trash" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        )}
      </Card>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          verb="Delete 1 connection"
          danger
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await mutate('connections/delete', { connection_id: id })
            invalidate(...AGAIN)
            route(link('/sending'), true)
          }}
        >
          <p>Its login is forgotten. Campaigns that name it need another one.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
