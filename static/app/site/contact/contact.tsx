import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { useEvery } from '../../rules/every.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/callout.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { PageHead } from '../../ui/page.tsx'
import { StateMark } from '../../ui/state.tsx'
import { ContactMenu } from './contact-menu.tsx'
import { later } from '../../later.tsx'
import type { SubscribeProps } from './dialogs.tsx'
import { HistoryCard } from './history-card.tsx'
import type { ContactAnswer } from './history.ts'
import { Memberships } from './memberships.tsx'
import { Profile } from './profile.tsx'
import { canJoin, standingOf } from './standing.ts'
import { Tags } from './tags.tsx'
import { UnsubscribeButton } from './unsubscribe-button.tsx'

const SubscribeDialog = later<SubscribeProps>(async () => (await import('./dialogs.tsx')).SubscribeDialog)

const BACK = { href: link('/contacts'), label: 'Contacts' }

/** One contact, with the evidence of consent. */
export default function ContactPage({ params, query }: PageProps) {
  const { data, error, reload } = useRead('contacts/get', { contact_id: Number(params.id) })
  if (data) return <Person answer={data} show={query.show} />
  if (error?.code === 'NOT_FOUND' || error?.code === 'VALIDATION_FAILED') {
    return (
      <>
        <PageHead title="Contact" back={BACK} />
        <Empty
          sentence="There is no such contact. It may have been deleted, or belongs to another project."
          action={<Button href={link('/contacts')}>All contacts</Button>}
        />
      </>
    )
  }
  return (
    <>
      <PageHead title="Contact" back={BACK} />
      {error ? (
        <ErrorNote title="The contact could not be loaded." error={error} retry={reload} />
      ) : (
        <Skeleton rows={8} />
      )}
    </>
  )
}

function Person({ answer, show }: { answer: ContactAnswer; show: string | undefined }) {
  const { contact } = answer
  const { route } = useLocation()
  const lists = useEvery('lists/list', { include_archived: true }).data ?? []
  const tags = useEvery('tags/list', {}).data ?? []
  const fields = useEvery('custom-fields/list', {}).data ?? []
  const [joining, join] = useState<{ list_id: number | null } | null>(null)
  const standing = standingOf(answer)
  const isEditor = can('editor')
  const mayJoin = canJoin(answer)
  const listName = (id: number | null) =>
    id === null ? 'messages in general' : (lists.find((list) => list.id === id)?.name ?? 'a list that was deleted')
  return (
    <>
      <PageHead
        title={contact.full_name || contact.email}
        back={BACK}
        lead={
          <>
            <span class="contact-address">
              {contact.email} <CopyButton text={contact.email} label="Copy the address" />
            </span>
            <span class="contact-standing">
              <StateMark state={standing.state}>{standing.sentence}</StateMark>
            </span>
            {!isEditor && <span>{whoMay('Changing contacts', 'editor')}</span>}
          </>
        }
        secondary={
          isEditor && (
            <>
              <UnsubscribeButton answer={answer} />
              <ContactMenu answer={answer} onDeleted={() => route(link('/contacts'))} />
            </>
          )
        }
        primary={
          isEditor &&
          mayJoin && (
            <Button main kind="primary" onClick={() => join({ list_id: null })}>
              Subscribe to a list…
            </Button>
          )
        }
      />
      <div class="main-and-side contact-parts">
        <HistoryCard answer={answer} show={show} listName={listName} />
        <div class="stack">
          <Profile contact={contact} fields={fields} />
          <Memberships
            contact={contact}
            lists={lists}
            can_join={mayJoin}
            onSubscribe={(list_id) => join({ list_id })}
          />
          <Tags contact={contact} tags={tags} />
        </div>
      </div>
      {joining && (
        <SubscribeDialog contact={contact} lists={lists} list_id={joining.list_id} onClose={() => join(null)} />
      )}
    </>
  )
}
