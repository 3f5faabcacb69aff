import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAction } from '../../api/action.ts'
import { mutate, read } from '../../api/calls.ts'
import { invalidate, useRead } from '../../api/query.ts'
import type { TemplateSummary } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { dateTime } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { DesignCard, DesignGrid } from '../campaigns/design-grid.tsx'
import { TemplateFace } from '../campaigns/template-face.tsx'

const AGAIN = ['templates/'] as const

/** The project's own templates, and the built-in designs. */
export default function Templates() {
  const { route } = useLocation()
  const { data, error, busy, reload } = useRead('templates/list', {})
  const [isDeleting, setDeleting] = useState<TemplateSummary | null>(null)
  const open = (id: number) => route(link(`/templates/${id}`))
  const copy = useAction(
    async ({ id, name }: { id: number | string; name: string }) => {
      const { template } = await read('templates/get', { template_id: id })
      const { editor_json, subject } = template
      return mutate('templates/create', { name, editor_json, subject })
    },
    { invalidates: AGAIN, done: ({ template }) => open(template.id as number) },
  )
  const begin = useAction(() => mutate('templates/create', { name: 'New template', editor_json: EMPTY }), {
    invalidates: AGAIN,
    done: ({ template }) => open(template.id as number),
  })
  const create = can('editor') && (
    <Button kind="primary" icon="plus" main busy={begin.busy} onClick={() => void begin.run(undefined)}>
      New template
    </Button>
  )
  return (
    <>
      <PageHead
        title="Templates"
        lead={can('editor') ? 'What new letters begin with.' : whoMay('Changing templates', 'editor')}
        primary={create}
      />
      <FlawSummary title="The template could not be made." error={copy.error ?? begin.error} />
      {error && <ErrorNote title="Templates could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton rows={4} />}
      {data && (
        <Table
          caption="Your templates"
          rows={data.items}
          busy={busy}
          row_key={({ id }) => String(id)}
          row_href={({ id }) => link(`/templates/${id}`)}
          columns={columns(
            (template) => setDeleting(template),
            (template) => void copy.run(template),
          )}
          empty={<Empty sentence="None of your own yet. Begin with a design below, or save a letter as a template." />}
        />
      )}
      {data && (
        <DesignGrid title="Designs">
          {data.gallery.map(({ id, name, description, thumbnail_url }) => (
            <DesignCard
              key={id}
              name={name}
              description={description}
              picture={thumbnail_url}
              verb={can('editor') ? 'Make a template from' : null}
              onUse={() => void copy.run({ id, name })}
            />
          ))}
        </DesignGrid>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={`Delete “${isDeleting.name}”?`}
          verb="Delete 1 template"
          danger
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await mutate('templates/delete', { template_id: isDeleting.id })
            invalidate(...AGAIN)
            toast({ text: 'The template was deleted.' })
          }}
        >
          <p>Campaigns that began with it stay as they are.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const EMPTY = { version: 1 as const, settings: {}, blocks: [] }

function columns(
  onDelete: (template: TemplateSummary) => void,
  onCopy: (template: { id: number; name: string }) => void,
): Column<TemplateSummary>[] {
  return [
    {
      id: 'look',
      head: <span class="visually-hidden">Look</span>,
      card: 'hidden',
      tight: true,
      cell: ({ id }) => <TemplateFace id={id} />,
    },
    { id: 'name', head: 'Template', card: 'title', cell: ({ name }) => name },
    { id: 'subject', head: 'Subject', card: 'line', cell: ({ subject }) => subject },
    { id: 'at', head: 'Changed', card: 'line', tight: true, cell: ({ updated_at }) => dateTime(updated_at) },
    {
      id: 'more',
      head: <span class="visually-hidden">Actions</span>,
      card: 'line',
      cell: (template) =>
        can('editor') && (
          <Menu
            icon="more"
            kind="quiet"
            small
            label={`Actions for ${template.name}`}
            items={[
              {
                label: 'Duplicate',
                icon: 'copy',
                onSelect: () => onCopy({ id: template.id, name: `${template.name}, copy` }),
              },
              { label: 'Delete…', icon: 'trash', danger: true, onSelect: () => onDelete(template) },
            ]}
          />
        ),
    },
  ]
}
