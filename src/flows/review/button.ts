/** Where the cancel button of a page can lead, but for a page of the site's own. */
export const BUTTON_TARGETS = ['widget', 'exit'] as const;

/** What a team says of the page that has its cancel button. */
export interface FlowInstall {
  /** `widget`: to the flow; `exit`: to the exit page; or the URL of a page of the site's own. */
  button_leads_to: string;
}

/** The words of `button` in the query of the review, which says it of one review alone. */
export const BUTTON_WORDS = ['flow', 'exit_page', 'elsewhere'] as const;
export type ButtonWord = (typeof BUTTON_WORDS)[number];

const SAID = { flow: 'widget', exit_page: 'exit', elsewhere: 'own' } as const satisfies Record<ButtonWord, string>;

/** The cancel button of a page: where it leads, and the JSON Pointer to what says so. */
export interface Button {
  leadsTo: 'widget' | 'exit' | 'own';
  pointer: string;
}

/** The button that is reviewed: the snippet that the console shows leads to the widget. */
export function buttonOf(slug: string, install: FlowInstall | null, said?: ButtonWord): Button {
  if (said) return { leadsTo: SAID[said], pointer: '/button' };
  if (!install) return { leadsTo: 'widget', pointer: '/install' };
  return { leadsTo: targetOf(slug, install.button_leads_to), pointer: '/install/button_leads_to' };
}

/** The pages of the service may have other hosts. */
function targetOf(slug: string, target: string): Button['leadsTo'] {
  if (target === 'widget' || target === 'exit') return target;
  const pathname = new URL(target).pathname.replace(/\/$/, '');
  if (pathname.endsWith(`/exit/${slug}`)) return 'exit';
  return pathname.endsWith(`/leave/${slug}`) ? 'widget' : 'own';
}
