/** Documents and examples that are imported as text. */
declare module '*.md' {
  const text: string
  export default text
}
declare module '*.py' {
  const text: string
  export default text
}
declare module '*.mjs' {
  const text: string
  export default text
}
declare module '*.sh' {
  const text: string
  export default text
}
