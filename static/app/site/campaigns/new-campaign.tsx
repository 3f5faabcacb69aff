import { useLocation } from 'preact-iso'
import { useMutation } from '../../api/action.ts'
import { useRead } from '../../api/query.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { PageHead } from '../../ui/page.tsx'
import { entryOf } from './audience-options.ts'
import { DesignCard, DesignGrid } from './design-grid.tsx'
import { TemplateFace } from './template-face.tsx'

/** An entry of an audience in the address, as a link from an import has it. */
const AUDIENCE = /^(all|(list|tag|segment):[1-9][0-9]{0,14})$/

/** Chooses a template for a new campaign, and opens its letter. */
export default function NewCampaign({ query }: PageProps) {
  const { route } = useLocation()
  const { data, error, reload } = useRead('templates/list', {})
  const create = useMutation('campaigns/create', {
    invalidates: ['campaigns/', 'overview'],
    done: ({ campaign }) => route(link(`/campaigns/${campaign.id}/edit`), true),
  })
  /**
   * Creates a campaign from a template, whose subject is copied, or without one. Without a subject to copy, the subject
   * is empty; the user writes it in the letter.
   */
  const begin = (template_id?: number | string, subject: string | null = '') =>
    void create.run({
      audience_spec: { include: AUDIENCE.test(query.audience ?? '') ? [entryOf(query.audience!)] : [] },
      // The letter is called by its subject until somebody names it.
      name: '',
      ...(template_id === undefined ? {} : { template_id }),
      ...(subject === '' ? { subject } : {}),
    })
  return (
    <>
      <PageHead
        title="New campaign"
        lead="Choose what it begins with. Everything can be changed later."
        back={{ href: link('/campaigns'), label: 'Campaigns' }}
        primary={
          <Button main onClick={() => begin()} busy={create.busy}>
            Begin with an empty letter
          </Button>
        }
      />
      <FlawSummary title="The campaign could not be made." error={create.error} />
      {error && <ErrorNote title="Templates could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && data.items.length > 0 && (
        <DesignGrid title="Your templates">
          {data.items.map(({ id, name, subject }) => (
            <DesignCard
              key={id}
              name={name}
              description=""
              picture={<TemplateFace id={id} />}
              verb="Use"
              onUse={() => begin(id, subject)}
            />
          ))}
        </DesignGrid>
      )}
      {data && (
        <DesignGrid title="Designs">
          {withFirst(data.gallery, `builtin:${query.design}`).map(({ id, name, description, thumbnail_url }) => (
            <DesignCard
              key={id}
              name={name}
              description={description}
              picture={thumbnail_url}
              verb="Use"
              onUse={() => begin(id, null)}
            />
          ))}
        </DesignGrid>
      )}
    </>
  )
}

/** The designs; the one that the address names comes first. */
function withFirst<Design extends { id: string }>(designs: readonly Design[], id: string): Design[] {
  return designs.toSorted((a, b) => Number(b.id === id) - Number(a.id === id))
}
