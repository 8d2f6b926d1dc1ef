import { define, RetentionFlowElement, serviceOf } from './element';
import { onClick } from './links';

/** The entry of the classic script. A page may have it twice. */
RetentionFlowElement.api = serviceOf((document.currentScript as HTMLScriptElement).src);
const defined = define();
if (!defined.hasLinks) {
  defined.hasLinks = true;
  document.addEventListener('click', onClick);
}
