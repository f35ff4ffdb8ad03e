/** Only a path of the desk: an address of elsewhere is nowhere to go after a sign-in. */
export function pathOf(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
}
