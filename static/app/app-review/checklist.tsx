import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'

/** What reviewers check, for a draft or a version. */
interface Submitted {
  homepage: string
  icon_url: string | undefined
  privacy_url: string | undefined
  scopes: readonly string[]
  scope_reasons: Record<string, string>
  /** Projects in which the app was tried: those that authorized it and the team's test projects. */
  projects: number
}

interface Check {
  ok: boolean
  text: string
  /** The page on which the author completes the item. */
  page: 'listing' | 'permissions' | 'scripts'
}

function checksOf({ homepage, icon_url, privacy_url, scopes, scope_reasons, projects }: Submitted): Check[] {
  return [
    { ok: homepage !== '', text: 'A homepage, where people begin to connect it', page: 'permissions' },
    { ok: Boolean(icon_url), text: 'An icon', page: 'listing' },
    { ok: Boolean(privacy_url), text: 'The address of the privacy policy', page: 'listing' },
    { ok: scopes.every((scope) => scope_reasons[scope]), text: 'A reason for each permission', page: 'permissions' },
    { ok: projects > 0, text: 'A project that lets it in, or has its drafts on its pages', page: 'scripts' },
  ]
}

interface ChecklistProps {
  title: string
  of: Submitted
  /** The address of an item's page, for users who may edit. */
  href?: (page: Check['page']) => string
}

/** The list of what reviewers check, and which items are complete. */
export function Checklist({ title, of, href }: ChecklistProps) {
  return (
    <Card title={title}>
      <ul class="checks">
        {checksOf(of).map(({ ok, text, page }) => (
          <li key={text} class={`check-line tone-${ok ? 'good' : 'wait'}`}>
            <Icon name={ok ? 'check' : 'alert'} label={ok ? 'Done' : 'Missing'} />
            <span>{text}</span>
            {!ok && href && <a href={href(page)}>Add it</a>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
