/** What Home asks for, as the first answers that travel with its document do. */
export const HOME_CAMPAIGNS: { order: 'newest'; limit: number; include: 'stats'[] } = {
  order: 'newest',
  limit: 20,
  include: ['stats'],
}
export const HOME_CONNECTIONS: { limit: number; include: 'usage'[] } = { limit: 100, include: ['usage'] }
export const HOME_IMPORTS: { order: 'newest'; limit: number } = { order: 'newest', limit: 10 }
