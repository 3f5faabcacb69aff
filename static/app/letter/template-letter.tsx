import { useLocation } from 'preact-iso'
import { useMutation } from '../api/action.ts'
import type { PageProps } from '../page-props.ts'
import { useRead } from '../api/query.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/callout.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { PageHead } from '../ui/page.tsx'
import LetterPage from './letter-page.tsx'
import type { Session } from './session.ts'
import { templateContent } from './source.ts'

/** A saved template: a letter without an audience. */
export default function TemplateLetter({ params }: PageProps) {
  const id = Number(params['id'])
  const template = useRead('templates/get', { template_id: id })
  const schema = useRead('schema/get', {})
  const found = template.data?.template
  const error = template.error ?? schema.error
  if (!found || !schema.data)
    return (
      <>
        <PageHead title="Template" />
        {error ? (
          <ErrorNote title="The template could not be loaded." error={error} retry={template.reload} />
        ) : (
          <Skeleton lines={8} />
        )}
      </>
    )
  return (
    <LetterPage
      source={{ kind: 'template', id, key: `template ${id}` }}
      stored={templateContent(found)}
      schema={schema.data}
      back={{ href: link('/templates'), label: 'Templates' }}
      closed={link('/templates')}
      actions={(session) => <UseTemplate id={id} session={session} />}
    />
  )
}

/** Creates a campaign from the template. */
function UseTemplate({ id, session }: { id: number; session: Session }) {
  const { route } = useLocation()
  const create = useMutation('campaigns/create', {
    invalidates: ['campaigns/', 'overview'],
    done: ({ campaign }) => route(link(`/campaigns/${campaign.id}/edit`)),
  })
  const { subject, name } = session.complete.value
  const use = async () => {
    await session.save()
    if (session.trouble.peek() !== null) return
    await create.run({
      template_id: id,
      name,
      subject: subject === '' ? name : subject,
      audience_spec: { include: [{ type: 'all' }], exclude: [] },
    })
  }
  return (
    <span class="button-explained">
      <Button kind="primary" main busy={create.busy} onClick={() => void use()}>
        Write a campaign with it
      </Button>
      {create.error && (
        <span class="button-reason" role="alert">
          {create.error.message}
        </span>
      )}
    </span>
  )
}
