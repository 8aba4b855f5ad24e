/** Room of the axis at the left of a plot; the cursor lies over the rest. Also in metrics.module.css. px */
export const AXIS_WIDTH = 56;
export const PLOT_HEIGHT = 132;
export const PLOT_TOP = 6;
