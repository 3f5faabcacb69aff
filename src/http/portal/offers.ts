import { PORTAL_PATH } from '../../accounts/links.ts'
import type { User } from '../../accounts/users.ts'
import {
  acceptTeamInvitation,
  getTeamInvitation,
  type TeamInvitation,
  teamInvitationsFor,
} from '../../developer/team-invitations.ts'
import { AppError } from '../../errors.ts'
import { acceptInvitation, getInvitation, type Invitation, invitationsFor } from '../../projects/invitations.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { ROLE_WITH_ARTICLE } from './role-names.ts'

/** An invitation, to a project or to the team of an app, as the page of its link shows it. */
export interface Offer {
  id: string
  email: string
  inviter: string
  /** The name of the project or app. */
  name: string
  /** What the invited person would become, such as `an editor of the project`. */
  place: string
  kind: 'project' | 'app'
  /** The path of what the invited person gets. */
  leads_to: string
  expires_at: number
  accept(tx: Tx, user: User, now: number): Promise<void>
}

/** The open invitation of a token or id. Else NOT_FOUND. */
export async function getOffer(db: Reader, by: { token: string } | { id: string }, now: number): Promise<Offer> {
  try {
    return projectOffer(await getInvitation(db, by, now))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
    return teamOffer(await getTeamInvitation(db, by, now))
  }
}

/** The open invitations to an address. */
export async function offersFor(db: Reader, email: string, now: number): Promise<Offer[]> {
  const [projects, teams] = await Promise.all([invitationsFor(db, email, now), teamInvitationsFor(db, email, now)])
  return [...projects.map(projectOffer), ...teams.map(teamOffer)]
}

function projectOffer(invitation: Invitation): Offer {
  const { id, email, inviter, project_name, project_slug, role, expires_at } = invitation
  const leads_to = `${PORTAL_PATH}/projects/${project_slug}`
  const place = `${ROLE_WITH_ARTICLE[role]} of the project`
  const accept: Offer['accept'] = (tx, user, now) => acceptInvitation(tx, invitation, user, now)
  return { id, email, inviter, name: project_name, place, kind: 'project', leads_to, expires_at, accept }
}

function teamOffer({ id, app_id, email, inviter, app_name, expires_at }: TeamInvitation): Offer {
  const leads_to = `${PORTAL_PATH}/developer/apps/${app_id}`
  const accept: Offer['accept'] = (tx, user, now) => acceptTeamInvitation(tx, id, user, now)
  return {
    id,
    email,
    inviter,
    name: app_name,
    place: 'a developer of the app',
    kind: 'app',
    leads_to,
    expires_at,
    accept,
  }
}
