/** The requests of Home. Their first answers are delivered with its document. */
export const HOME_CAMPAIGNS: { order: 'newest'; limit: number; include: 'stats'[] } = {
  order: 'newest',
  limit: 20,
  include: ['stats'],
}
export const HOME_CONNECTIONS: { limit: number; include: 'usage'[] } = { limit: 100, include: ['usage'] }
export const HOME_IMPORTS: { order: 'newest'; limit: number } = { order: 'newest', limit: 10 }
