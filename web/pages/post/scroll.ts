/** The element in which a picture scrolls if it is wider than the window. */
export const SCROLLED = "Picture-scroll";

/** Scrolls the picture sideways. @param by 1 to the end, -1 to the beginning @returns false if all of it is visible */
export function scrollPicture(by: number): boolean {
  const element = document.querySelector(`.${SCROLLED}`);
  if (!element || element.scrollWidth <= element.clientWidth + 1) return false;
  element.scrollBy({ left: by * element.clientWidth * 0.5 });
  return true;
}
