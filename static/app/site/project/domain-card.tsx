import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useAction } from '../../api/action.ts'
import { type RouteResponse, sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { type Tone, StatusBadge } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { type OwnProject, PROJECT } from './project-data.ts'

const STATES: Record<NonNullable<OwnProject['domain_status']>, [Tone, string]> = {
  unproven: ['wait', 'Not proven yet'],
  proven: ['good', 'Proven'],
  lost: ['bad', 'Proof is missing'],
}
const FOUND: Record<RouteResponse<'POST /project/domain/verify'>['found'], [Tone, string]> = {
  published: ['good', 'The record is there.'],
  missing: ['wait', 'There is no record under this name yet. It may take an hour until it is seen everywhere.'],
  different: ['wait', 'There is a record under this name, but with another value.'],
  no_answer: ['wait', 'The DNS gave no answer just now, so nothing changed. Look again in a minute.'],
}

/** The project's own domain, and the DNS record that proves it. */
export function DomainCard({ project }: { project: OwnProject }) {
  const { domain, domain_status, served_domain } = project
  const editing = useSignal(false)
  const removing = useSignal(false)
  const state = domain_status && STATES[domain_status]
  const served = served_domain ?? (domain_status === 'unproven' ? undefined : domain)
  const hosted = `${data.base_url}/sites/${project.slug}/`
  return (
    <Card title="Domain" actions={state && <StatusBadge tone={state[0]}>{state[1]}</StatusBadge>}>
      <div class="stack">
        {domain === undefined ? (
          <p>
            The site, forms and letters use <a href={hosted}>{hosted}</a>. With a domain of its own they use that one.
          </p>
        ) : (
          <p>
            <strong>{domain}</strong>{' '}
            {served === domain ? (
              <>
                serves the site. <a href={`https://${domain}/`}>Open it</a>
              </>
            ) : (
              <>is not served yet{served === undefined ? '' : `; ${served} still is`}.</>
            )}
          </p>
        )}
        {domain !== undefined && domain_status !== 'proven' && <Proof project={project} />}
        {can('administrator') &&
          (editing.value ? (
            <DomainForm domain={domain ?? ''} onEnd={() => (editing.value = false)} />
          ) : (
            <div class="row">
              <Button onClick={() => (editing.value = true)}>
                {domain === undefined ? 'Add a domain' : 'Use another domain'}
              </Button>
              {domain !== undefined && (
                <Button kind="quiet" onClick={() => (removing.value = true)}>
                  Remove it
                </Button>
              )}
            </div>
          ))}
      </div>
      {removing.value && <Removal domain={domain!} hosted={hosted} onClose={() => (removing.value = false)} />}
    </Card>
  )
}

function Proof({ project: { domain, domain_record, domain_status } }: { project: OwnProject }) {
  const look = useAction(() => sendOnce('POST /project/domain/verify', { project_id: projectId() }), {
    invalidates: [PROJECT],
    done: ({ found }) => {
      if (found === 'published') toast({ text: `${domain} is proven and serves the site.`, tone: 'good' })
      said.value = found
    },
  })
  const said = useSignal<keyof typeof FOUND | null>(null)
  const host = new URL(data.base_url).hostname
  if (!domain_record) return null
  return (
    <div class="stack">
      <p>
        {domain_status === 'lost'
          ? 'The last look did not find this record. Without it the domain is let go after seven days.'
          : 'To prove that the domain is yours, add this record where its DNS is kept. Then look again.'}
      </p>
      <dl class="record">
        <Part name="Type" value={domain_record.type} />
        <Part name="Name" value={domain_record.name} copy="Copy the name of the record" />
        <Part name="Value" value={domain_record.value} copy="Copy the value of the record" />
      </dl>
      <p class="quiet small">
        For the site itself, also point {domain} and www.{domain} to this service:{' '}
        {/^[\d.]+$|^\[/.test(host) ? 'an A or AAAA' : 'a CNAME or ALIAS'} record to {host}.
      </p>
      {look.error && <ErrorNote error={look.error} />}
      {said.value !== null && said.value !== 'published' && (
        <Callout tone={FOUND[said.value][0]} alert>
          <p>{FOUND[said.value][1]}</p>
        </Callout>
      )}
      {can('administrator') && (
        <div class="row">
          <Button kind="primary" icon="refresh" busy={look.busy} onClick={() => void look.run(undefined)}>
            Look again
          </Button>
        </div>
      )}
    </div>
  )
}

function Part({ name, value, copy }: { name: string; value: ComponentChildren & string; copy?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        {copy !== undefined && <CopyButton text={value} label={copy} />}
      </dd>
    </div>
  )
}

function DomainForm({ domain, onEnd }: { domain: string; onEnd(): void }) {
  const text = useSignal(domain)
  const save = useAction(
    () => sendOnce('POST /project/update', { project_id: projectId(), domain: text.value.trim() }),
    {
      invalidates: [PROJECT],
      done: onEnd,
    },
  )
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run(undefined)
      }}
    >
      {save.error && !save.error.flawOf('/domain') && <FlawSummary error={save.error} />}
      <TextField
        label="Domain"
        hint="Without https:// and www, such as harbour.example."
        value={text.value}
        onInput={(value) => (text.value = value)}
        flaw={save.error?.flawOf('/domain')}
        autocapitalize="none"
        spellcheck={false}
        autocomplete="off"
        autofocus
      />
      <div class="row">
        <Button kind="primary" type="submit" busy={save.busy} disabled={text.value.trim() === ''}>
          Use this domain
        </Button>
        <Button onClick={onEnd}>Not now</Button>
      </div>
    </form>
  )
}

function Removal({ domain, hosted, onClose }: { domain: string; hosted: string; onClose(): void }) {
  const remove = useAction(() => sendOnce('POST /project/update', { project_id: projectId(), domain: null }))
  return (
    <ConfirmDialog
      title={`Remove ${domain}?`}
      verb={`Remove ${domain}`}
      danger
      onClose={onClose}
      onConfirm={async () => {
        if (await remove.run(undefined)) location.reload()
      }}
    >
      <p>The service stops answering for it at once. The site stays at {hosted}.</p>
    </ConfirmDialog>
  )
}
