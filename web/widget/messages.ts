import type { Messages } from './v1.d';

export const LANGUAGES = ['en', 'de', 'fr', 'es'];

/** The texts in the languages above, in their order. */
const TEXTS: Record<keyof Messages, string[]> = {
  moment: ['One moment…', 'Einen Moment…', 'Un moment…', 'Un momento…'],
  cancel: ['Cancel my subscription', 'Mein Abo kündigen', 'Résilier mon abonnement', 'Cancelar mi suscripción'],
  keep: ['Keep my subscription', 'Mein Abo behalten', 'Garder mon abonnement', 'Mantener mi suscripción'],
  continue: ['Continue', 'Weiter', 'Continuer', 'Continuar'],
  close: ['Close', 'Schließen', 'Fermer', 'Cerrar'],
  retry: ['Try again', 'Erneut versuchen', 'Réessayer', 'Reintentar'],
  notSent: [
    'That did not get through.',
    'Das ist nicht angekommen.',
    'L’envoi n’a pas abouti.',
    'El envío no ha llegado.',
  ],
  notConfirmed: [
    'That is not confirmed yet.',
    'Das ist noch nicht bestätigt.',
    'Ce n’est pas encore confirmé.',
    'Aún no está confirmado.',
  ],
  restarted: [
    'That took too long. Please start again.',
    'Das hat zu lange gedauert. Bitte beginnen Sie noch einmal.',
    'Cela a pris trop de temps. Veuillez recommencer.',
    'Ha tardado demasiado. Empiece de nuevo.',
  ],
  thanks: ['Thank you for staying', 'Schön, dass Sie bleiben', 'Merci de rester', 'Gracias por quedarse'],
  comment: ['Your comment', 'Ihr Kommentar', 'Votre commentaire', 'Su comentario'],
  optional: ['optional', 'freiwillig', 'facultatif', 'opcional'],
};

/** The texts in a language, such as `de` or `fr-CA`; in English if there are none in that language. */
export function messagesIn(lang: string): Messages {
  const column = Math.max(0, LANGUAGES.indexOf(lang.slice(0, 2).toLowerCase()));
  return Object.fromEntries(Object.entries(TEXTS).map(([name, texts]) => [name, texts[column]])) as unknown as Messages;
}
