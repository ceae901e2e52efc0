use rapier3d::math::{Pose, Rotation, Vector};
use rapier3d::na::ComplexField;

use crate::Geometry;

/// Units of the simulated world: a length of 1 is a centimetre.
pub(crate) const MM_PER_UNIT: f64 = 10.0;

/// Thickness of plastic and of what keeps cubes in.
const PLASTIC_MM: f64 = 2.0;
/// How far the guards reach above funnel and table.
const GUARD_MM: f64 = 120.0;
/// Pieces that the rim of the tray is made of.
const RIM_PIECES: u8 = 16;

/// The part of the tower that a box belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The four walls of the tube; the front wall is the one with the window.
    Shaft,
    /// The front wall, which a cut-away view leaves out.
    Front,
    /// The funnel.
    Funnel,
    /// The plate with holes.
    UpperPlate,
    /// The plate with slots.
    LowerPlate,
    /// A solid board.
    Board,
    /// The slope to the window.
    Ramp,
    /// Floor and rim of the dish.
    Tray,
    /// Invisible: hands around the funnel and the edge of the table, so that no cube is lost.
    Guard,
}

/// The material of a fixed box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Shaft, plates, boards and ramp.
    Cardboard,
    /// Funnel and tray.
    Plastic,
}

/// A box that does not move.
///
/// Millimetres; the origin is the middle of the shaft at the height of the table, x points through the window, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedBox {
    /// The part of the tower that it belongs to.
    pub part: Part,
    /// Its middle.
    pub centre_mm: [f64; 3],
    /// Half its sizes along its own axes.
    pub half_mm: [f64; 3],
    /// Its rotation as a unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
}

impl FixedBox {
    /// Its material.
    pub const fn material(&self) -> Material {
        match self.part {
            Part::Shaft | Part::Front | Part::UpperPlate | Part::LowerPlate | Part::Board | Part::Ramp => {
                Material::Cardboard
            }
            Part::Funnel | Part::Tray | Part::Guard => Material::Plastic,
        }
    }

    pub(crate) fn pose(&self) -> Pose {
        let [x, y, z, w] = self.rotation.map(|value| value as f32);
        Pose::from_parts(units(self.centre_mm), Rotation::from_xyzw(x, y, z, w))
    }

    pub(crate) fn half(&self) -> Vector {
        units(self.half_mm)
    }
}

/// Millimetres as units of the simulated world.
pub(crate) fn units(mm: [f64; 3]) -> Vector {
    let [x, y, z] = mm.map(|value| (value / MM_PER_UNIT) as f32);
    Vector::new(x, y, z)
}

/// Everything that does not move, for a renderer.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The boxes.
    pub boxes: Vec<FixedBox>,
    /// Where the window is passed: cubes beyond this x are in the tray.
    pub window_x_mm: f64,
    /// Where the funnel begins.
    pub throat_z_mm: f64,
    /// Lowest corner of the space that holds all cubes.
    pub lowest_mm: [f64; 3],
    /// Highest corner of it.
    pub highest_mm: [f64; 3],
}

impl Geometry {
    /// The fixed boxes of this tower.
    pub fn scene(&self) -> Scene {
        let mut boxes = Vec::new();
        self.shaft_boxes(&mut boxes);
        self.plate_boxes(&mut boxes);
        self.board_boxes(&mut boxes);
        self.funnel_boxes(&mut boxes);
        self.tray_boxes(&mut boxes);
        let outer = self.shaft.inner_mm / 2.0 + self.shaft.wall_mm;
        let side = (self.tray.width_mm / 2.0).max(self.funnel.opening_mm / 2.0) + 3.0 * PLASTIC_MM;
        let front = self.tray_centre_mm() + self.tray.depth_mm / 2.0 + 3.0 * PLASTIC_MM;
        let top = self.shaft.height_mm + self.funnel.height_mm.max(self.throw.highest_mm) + GUARD_MM;
        let back = outer.max(self.funnel.opening_mm / 2.0) + PLASTIC_MM;
        Scene {
            boxes,
            window_x_mm: outer,
            throat_z_mm: self.shaft.height_mm,
            lowest_mm: [-back, -side, 0.0],
            highest_mm: [front, side, top],
        }
    }

    fn shaft_boxes(&self, boxes: &mut Vec<FixedBox>) {
        let (inner, wall, height) =
            (self.shaft.inner_mm / 2.0, self.shaft.wall_mm / 2.0, self.shaft.height_mm);
        let middle = inner + wall;
        let mut upright = |part, x, y, half_x, half_y, from: f64, to: f64| {
            boxes.push(aligned(part, [x, y, f64::midpoint(from, to)], [half_x, half_y, (to - from) / 2.0]));
        };
        upright(Part::Shaft, 0.0, middle, inner + 2.0 * wall, wall, 0.0, height);
        upright(Part::Shaft, 0.0, -middle, inner + 2.0 * wall, wall, 0.0, height);
        upright(Part::Shaft, -middle, 0.0, wall, inner, 0.0, height);
        let (opening, lintel) = (self.window.width_mm / 2.0, self.window.height_mm);
        upright(Part::Front, middle, 0.0, wall, inner, lintel, height);
        if opening < inner {
            let (side, half) = (f64::midpoint(inner, opening), (inner - opening) / 2.0);
            upright(Part::Front, middle, side, wall, half, 0.0, lintel);
            upright(Part::Front, middle, -side, wall, half, 0.0, lintel);
        }
        // A slope through the back wall at its height; it ends where it meets the table, which is near the window.
        let angle = self.ramp.angle_degrees.to_radians();
        let (sine, cosine) = (ComplexField::sin(angle), ComplexField::cos(angle));
        let length = (self.ramp.height_at_back_mm / sine).min((2.0 * inner + wall) / cosine);
        let (down, normal) = ([cosine, 0.0, -sine], [sine, 0.0, cosine]);
        let thickness = 1.5 * PLASTIC_MM;
        let start = [-inner, 0.0, self.ramp.height_at_back_mm];
        let centre: [f64; 3] =
            std::array::from_fn(|axis| start[axis] + down[axis] * length / 2.0 - normal[axis] * thickness);
        boxes.push(turned(
            Part::Ramp,
            centre,
            [length / 2.0, inner, thickness],
            down,
            [0.0, 1.0, 0.0],
            normal,
        ));
    }

    fn plate_boxes(&self, boxes: &mut Vec<FixedBox>) {
        let inner = self.shaft.inner_mm;
        if let Some(upper) = &self.upper_plate {
            let row =
                Row { count: upper.holes_per_side, hole: upper.hole_mm.value(), bar: upper.bar_mm.value() };
            perforated(boxes, Part::UpperPlate, inner, upper.height_mm, upper.thickness_mm, [row, row]);
        }
        if let Some(lower) = &self.lower_plate {
            let along = Row { count: 1, hole: lower.slot_length_mm.value(), bar: 0.0 };
            let (hole, bar) = (lower.slot_width_mm.value(), lower.bar_mm.value());
            let across = Row { count: lower.slots, hole, bar };
            perforated(boxes, Part::LowerPlate, inner, lower.height_mm, lower.thickness_mm, [along, across]);
        }
    }

    /// Boards are as long as their slope needs to cover the range across. The file's x is the scene's -y, its y is x.
    fn board_boxes(&self, boxes: &mut Vec<FixedBox>) {
        for board in &self.boards {
            let ([x0, x1], [y0, y1]) = (board.x_mm, board.y_mm);
            let angle = board.down_x_degrees.to_radians();
            let (sine, cosine) = (ComplexField::sin(angle), ComplexField::cos(angle));
            boxes.push(turned(
                Part::Board,
                [f64::midpoint(y0, y1), -f64::midpoint(x0, x1), board.height_mm],
                [(y1 - y0) / 2.0, (x1 - x0) / 2.0 / cosine, board.thickness_mm / 2.0],
                [1.0, 0.0, 0.0],
                [0.0, cosine, sine],
                [0.0, -sine, cosine],
            ));
        }
    }

    /// Eight panels, four on the sides of the throat and four on its corners. What they enclose is convex, so each
    /// may reach further than its neighbours without narrowing the funnel; at the top it is a regular octagon.
    fn funnel_boxes(&self, boxes: &mut Vec<FixedBox>) {
        let (opening, throat) = (self.funnel.opening_mm / 2.0, self.funnel.throat_mm / 2.0);
        let (height, base) = (self.funnel.height_mm, self.shaft.height_mm);
        let thickness = PLASTIC_MM / 2.0;
        let half_side = opening * (std::f64::consts::SQRT_2 - 1.0);
        let diagonal = std::f64::consts::FRAC_1_SQRT_2;
        for (index, [x, y]) in [
            [1.0, 0.0],
            [diagonal, diagonal],
            [0.0, 1.0],
            [-diagonal, diagonal],
            [-1.0, 0.0],
            [-diagonal, -diagonal],
            [0.0, -1.0],
            [diagonal, -diagonal],
        ]
        .into_iter()
        .enumerate()
        {
            let (below, half_width) = if index % 2 == 0 {
                (throat, half_side.max(throat))
            } else {
                (throat * std::f64::consts::SQRT_2, half_side)
            };
            let out = opening - below;
            let slant = (out * out + height * height).sqrt();
            let up = [x * out / slant, y * out / slant, height / slant];
            let normal = [x * height / slant, y * height / slant, -out / slant];
            let side = [-y, x, 0.0];
            let middle = f64::midpoint(opening, below);
            let centre = [
                x * middle + normal[0] * thickness,
                y * middle + normal[1] * thickness,
                base + height / 2.0 + normal[2] * thickness,
            ];
            boxes.push(turned(Part::Funnel, centre, [half_width, slant / 2.0, thickness], side, up, normal));
            // Above the funnel a hand would be; it keeps what bounces.
            let (out, guard) = (opening + thickness, f64::midpoint(GUARD_MM, self.throw.highest_mm));
            boxes.push(turned(
                Part::Guard,
                [x * out, y * out, base + height + guard],
                [half_side + thickness, guard, thickness],
                side,
                [0.0, 0.0, 1.0],
                [x, y, 0.0],
            ));
        }
    }

    /// The oval begins where its outline meets the corners of the tower.
    fn tray_centre_mm(&self) -> f64 {
        let outer = self.shaft.inner_mm / 2.0 + self.shaft.wall_mm;
        let sine = outer / (self.tray.width_mm / 2.0);
        outer + self.tray.depth_mm / 2.0 * (1.0 - sine * sine).sqrt()
    }

    fn tray_boxes(&self, boxes: &mut Vec<FixedBox>) {
        let outer = self.shaft.inner_mm / 2.0 + self.shaft.wall_mm;
        let (half_width, half_depth) = (self.tray.width_mm / 2.0, self.tray.depth_mm / 2.0);
        let centre = self.tray_centre_mm();
        let thickness = PLASTIC_MM / 2.0;
        let (side, front) = (half_width + 2.0 * PLASTIC_MM, centre + half_depth + 2.0 * PLASTIC_MM);
        let back = -outer;
        // The floor also carries the tower and reaches to the guards, as the table would.
        boxes.push(aligned(
            Part::Tray,
            [f64::midpoint(back, front), 0.0, -2.0 * PLASTIC_MM],
            [(front - back) / 2.0, side, 2.0 * PLASTIC_MM],
        ));
        let gap = ComplexField::asin(outer / half_width);
        let outline = |piece: u8| {
            let share = f64::from(piece) / f64::from(RIM_PIECES);
            let angle = (std::f64::consts::PI - gap) * (2.0 * share - 1.0);
            [centre + half_depth * ComplexField::cos(angle), half_width * ComplexField::sin(angle)]
        };
        for piece in 0..RIM_PIECES {
            let ([x0, y0], [x1, y1]) = (outline(piece), outline(piece + 1));
            let (dx, dy) = (x1 - x0, y1 - y0);
            let length = (dx * dx + dy * dy).sqrt();
            let (along, out) = ([dx / length, dy / length, 0.0], [dy / length, -dx / length, 0.0]);
            let middle = [
                f64::midpoint(x0, x1) + out[0] * thickness,
                f64::midpoint(y0, y1) + out[1] * thickness,
                self.tray.rim_mm / 2.0,
            ];
            let half = [length / 2.0 + thickness, thickness, self.tray.rim_mm / 2.0];
            // x along the rim, y outward would be left-handed with z up, so y points inward.
            boxes.push(turned(Part::Tray, middle, half, along, out.map(|value| -value), [0.0, 0.0, 1.0]));
        }
        let mut guard = |x: f64, y: f64, half_x: f64, half_y: f64| {
            boxes.push(aligned(Part::Guard, [x, y, GUARD_MM / 2.0], [half_x, half_y, GUARD_MM / 2.0]));
        };
        guard(front + thickness, 0.0, thickness, side);
        guard(f64::midpoint(outer, front), side + thickness, (front - outer) / 2.0, thickness);
        guard(f64::midpoint(outer, front), -side - thickness, (front - outer) / 2.0, thickness);
        let beside = (side - outer) / 2.0;
        guard(outer - thickness, outer + beside, thickness, beside);
        guard(outer - thickness, -outer - beside, thickness, beside);
    }
}

/// Holes in a line, with bars between them.
#[derive(Clone, Copy)]
struct Row {
    count: u8,
    hole: f64,
    bar: f64,
}

impl Row {
    /// Middle and half width of what is not a hole, from one end to the other.
    fn solid(self, width: f64) -> Vec<(f64, f64)> {
        let used = f64::from(self.count) * (self.hole + self.bar) - self.bar;
        let rim = (width - used) / 2.0;
        let mut solid = Vec::new();
        let mut from = -width / 2.0;
        for piece in 0..=self.count {
            let wide = if piece == 0 || piece == self.count { rim } else { self.bar };
            if wide > 0.0 {
                solid.push((from + wide / 2.0, wide / 2.0));
            }
            from += wide + self.hole;
        }
        solid
    }

    /// Middles of the holes.
    fn holes(self) -> impl Iterator<Item = f64> {
        let pitch = self.hole + self.bar;
        let first = -pitch * (f64::from(self.count) - 1.0) / 2.0;
        (0..self.count).map(move |index| first + pitch * f64::from(index))
    }
}

/// A plate as strips of full width and what lies between them; the fewer pieces, the fewer seams a cube can feel.
fn perforated(
    boxes: &mut Vec<FixedBox>,
    part: Part,
    width: f64,
    height: f64,
    thickness: f64,
    rows: [Row; 2],
) {
    let [along, across] = rows;
    for (x, half) in along.solid(width) {
        boxes.push(aligned(part, [x, 0.0, height], [half, width / 2.0, thickness / 2.0]));
    }
    for x in along.holes() {
        for (y, half) in across.solid(width) {
            boxes.push(aligned(part, [x, y, height], [along.hole / 2.0, half, thickness / 2.0]));
        }
    }
}

fn aligned(part: Part, centre_mm: [f64; 3], half_mm: [f64; 3]) -> FixedBox {
    FixedBox { part, centre_mm, half_mm, rotation: [0.0, 0.0, 0.0, 1.0] }
}

/// A box with its own axes, which are a right-handed frame of unit length.
fn turned(
    part: Part,
    centre_mm: [f64; 3],
    half_mm: [f64; 3],
    x: [f64; 3],
    y: [f64; 3],
    z: [f64; 3],
) -> FixedBox {
    FixedBox { part, centre_mm, half_mm, rotation: quaternion([x, y, z]) }
}

/// The unit quaternion of a frame, by its largest component (Shepperd's method), with square roots only so that every
/// machine computes the same.
fn quaternion([x, y, z]: [[f64; 3]; 3]) -> [f64; 4] {
    let squares = [
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
        1.0 + x[0] + y[1] + z[2],
    ];
    let largest = (0..4).fold(0, |best, index| if squares[index] > squares[best] { index } else { best });
    let twice = squares[largest].max(0.0).sqrt();
    let (yx, zx, zy) = (y[0] + x[1], z[0] + x[2], z[1] + y[2]);
    let (wx, wy, wz) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let rotation = match largest {
        0 => [twice * twice, yx, zx, wx],
        1 => [yx, twice * twice, zy, wy],
        2 => [zx, zy, twice * twice, wz],
        _ => [wx, wy, wz, twice * twice],
    };
    let length = rotation.iter().map(|value| value * value).sum::<f64>().sqrt();
    rotation.map(|value| value / length)
}

#[cfg(test)]
mod tests;
