(** * Two clusters each: the largest and the least adjusted Rand distance given the MED

    For a 2 x 2 table let d1 and d2 be the sums of the two diagonals.  Then RD = d1 d2 / C(n,2) and
    MED = min(d1,d2)/n.  Let d1 >= d2 >= 2 and n = d1 + d2 >= 9.  Of all the tables without empty row or
    column whose diagonals have the sums d1 and d2, the hook
        d1        d2/2 rounded up
        d2/2 rounded down      0
    has the largest adjusted Rand distance ARD = RD/E.  As RD is the same for all, this says that its E is
    the least.

    With u and v the squares of the differences on the two diagonals,
      16 M^2 E = const(n) + 2 Phi,   Phi = 2n(u+v) - (u-v)^2,
    concave in u and in v, so least at a corner of the rectangle of the possible (u,v).  The corner
    (d1^2, d2^2) is excluded (an empty row or column); (d1^2, 0 or 1) is the least of the others.
    For d2 = 1 and n >= 7 it is that of  d1-1  1 / 0  1:  v = 1, and u is at most (n-3)^2, where Phi is the least.

    The least ARD is that of the largest Phi, without this corner.  For d1 >= d2 >= 1, n >= 3, it is at (p^2, d2^2), the
    nested table  (d1+p)/2  d2 / 0  (d1-p)/2:  the step from p to p + 2 along q = d2 raises Phi as long as
    (p+1)^2 + 1 < n + d2^2.  From any other (p,q) either the step from q to d2 does not lower Phi, or both p and q
    are so small that a square next to (d2,d2) has more.

    With p and q the differences on the two diagonals,
      ARD = 4 n (n-1) d1 d2 / (n^2 (n-1)^2 - ((q+p)^2 - n) ((q-p)^2 - n)),
    as the denominator is 8 M^2 E; for the nested table q = d2.

    The parts on integers only are in TwoByTwoIntegers.v. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables TwoByTwoIntegers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Delimit Scope Z_scope with integer.   (* %Z is taken by mathcomp *)

(* ------------------------------------------------------------------ *)
(** ** Tables *)

Definition two_by_two (a b c e : nat) : table 2 2 := fun i j =>
  if i == ord0 then (if j == ord0 then a else b) else (if j == ord0 then c else e).

Definition diagonal_sum (x : table 2 2) : nat := x ord0 ord0 + x ord_max ord_max.
Definition antidiagonal_sum (x : table 2 2) : nat := x ord0 ord_max + x ord_max ord0.

Lemma two_indices (i : 'I_2) : i = ord0 \/ i = ord_max.
Proof. by case: i => [[|[|i]] hi] //; [left | right]; apply: val_inj. Qed.

Lemma sum_two (f : 'I_2 -> nat) : \sum_(i < 2) f i = f ord0 + f ord_max.
Proof. by rewrite big_ord_recl big_ord1; congr (_ + f _); apply: val_inj. Qed.

Lemma total_two_by_two x : total x = diagonal_sum x + antidiagonal_sum x.
Proof. by rewrite /total !sum_two /diagonal_sum /antidiagonal_sum; lia. Qed.

Theorem F_two_by_two x : F2 x = 2 * (diagonal_sum x * antidiagonal_sum x).
Proof.
have := F_exact x; rewrite /squares /row_sum /col_sum !sum_two /diagonal_sum /antidiagonal_sum -!mulnn.
by move: (F2 x) => f h; lia.
Qed.

Lemma best_two_by_two x : best x = maxn (diagonal_sum x) (antidiagonal_sum x).
Proof.
have swap_inj : injective (fun i : 'I_2 => if i == ord0 then ord_max else ord0 : 'I_2).
  by move=> [[|[|i]] hi] [[|[|j]] hj] //= _; apply: val_inj.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  apply: best_le => f fi; rewrite sum_two leq_max /diagonal_sum /antidiagonal_sum.
  have : f ord0 != f ord_max by apply/eqP => /fi.
  by case: (two_indices (f ord0)) => ->; case: (two_indices (f ord_max)) => ->; rewrite ?eqxx // leqnn ?orbT.
by rewrite geq_max; apply/andP; split;
   [have := best_ge x (@inj_id 'I_2) | have := best_ge x swap_inj]; rewrite sum_two.
Qed.

Section Distances.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem RD_two_by_two x :
  RD x = (diagonal_sum x * antidiagonal_sum x)%N%:R / 'C(total x, 2)%:R.
Proof. by rewrite RD_F F_two_by_two !natrM -mulf_div divff ?mul1r // -natrM. Qed.

Theorem MED_two_by_two x : MED x = (minn (diagonal_sum x) (antidiagonal_sum x))%:R / (total x)%:R.
Proof. by rewrite MED_nat best_two_by_two total_two_by_two; congr (_%:R / _); lia. Qed.
End Distances.

(* ------------------------------------------------------------------ *)
(** ** The largest ARD at given sums of the diagonals *)

(* EE is 16 times the numerator of E *)
Lemma expected_numerator_EE (x : table 2 2) :
  (16 * Z.of_nat (expected_numerator x))%integer =
  EE (Z.of_nat (x ord0 ord0)) (Z.of_nat (x ord0 ord_max))
     (Z.of_nat (x ord_max ord0)) (Z.of_nat (x ord_max ord_max)).
Proof.
have := double_row_pairs x; have := double_col_pairs x; have := double_all_pairs x.
have := row_pairs_le x; have := col_pairs_le x.
rewrite /expected_numerator /EE /total /row_sum /col_sum !sum_two -!mulnn.
move: (row_pairs x) (col_pairs x) (all_pairs x) (x _ _) (x _ _) (x _ _) (x _ _) => A B M e c b a hB hA hM hC hR.
have eA : (4 * Z.of_nat A = A4 (Z.of_nat a) (Z.of_nat b) (Z.of_nat c) (Z.of_nat e))%integer.
  by rewrite /A4; nia.
have eB : (4 * Z.of_nat B = B4 (Z.of_nat a) (Z.of_nat b) (Z.of_nat c) (Z.of_nat e))%integer.
  by rewrite /B4; nia.
set n := (Z.of_nat a + Z.of_nat b + Z.of_nat c + Z.of_nat e)%integer.
have eM : (4 * Z.of_nat M = 2 * n * (n - 1))%integer by rewrite /n; nia.
rewrite -/n -eA -eB -eM.
have -> : (Z.of_nat (A * (M - B) + B * (M - A)) =
  Z.of_nat A * (Z.of_nat M - Z.of_nat B) + Z.of_nat B * (Z.of_nat M - Z.of_nat A))%integer.
  have -> : (Z.of_nat M - Z.of_nat B = Z.of_nat (M - B))%integer by clear -hB; lia.
  have -> : (Z.of_nat M - Z.of_nat A = Z.of_nat (M - A))%integer by clear -hA; lia.
  by move: (M - A) (M - B) => u v; clear; lia.
ring.
Qed.

(* the hook of the theorem; [uphalf m] is m/2 rounded up, [m./2] rounded down *)
Definition largest_ARD_table (d1 d2 : nat) : table 2 2 := two_by_two d1 (uphalf d2) d2./2 0.

Lemma largest_ARD_table_sums d1 d2 :
  diagonal_sum (largest_ARD_table d1 d2) = d1 /\ antidiagonal_sum (largest_ARD_table d1 d2) = d2.
Proof.
rewrite /diagonal_sum /antidiagonal_sum /largest_ARD_table /two_by_two /= addn0; split=> //.
by rewrite uphalf_half -addnA addnn -[RHS]odd_double_half.
Qed.

Lemma largest_ARD_table_in_class d1 d2 : 0 < d1 -> 1 < d2 ->
  in_class (d1 + d2) (largest_ARD_table d1 d2).
Proof.
move=> d10 d21; have [e1 e2] := largest_ARD_table_sums d1 d2.
have h : 0 < d2./2 by rewrite half_gt0.
rewrite /largest_ARD_table; set y := two_by_two _ _ _ _.
split; first by rewrite total_two_by_two e1 e2.
all: by move=> i; case: (two_indices i) => ->; rewrite /row_sum /col_sum sum_two /y /two_by_two /= ?addn0; lia.
Qed.

(* the sums of the diagonals of x are d1 and d2, in some order *)
Definition diagonals_are (d1 d2 : nat) (x : table 2 2) : Prop :=
  diagonal_sum x = d1 /\ antidiagonal_sum x = d2 \/ diagonal_sum x = d2 /\ antidiagonal_sum x = d1.

(* RD is the same for both, so the ARD is smaller where E is larger *)
Lemma ARD_same_diagonals d1 d2 x y : 0 < d2 <= d1 -> 3 <= d1 + d2 ->
  in_class (d1 + d2) x -> in_class (d1 + d2) y -> diagonals_are d1 d2 x -> diagonals_are d1 d2 y ->
  (ARD x <= ARD y)%R = (expected_numerator y <= expected_numerator x).
Proof.
move=> /andP [d20 d21] n3 xM yM dx dy.
have F (z : table 2 2) : diagonals_are d1 d2 z -> F2 z = 2 * (d1 * d2).
  by move=> dz; rewrite F_two_by_two; case: dz => -[-> ->] //; rewrite [d2 * _]mulnC.
have p0 : 0 < d1 * d2 by rewrite muln_gt0 d20 (leq_trans d20).
have pos (z : table 2 2) : in_class (d1 + d2) z -> diagonals_are d1 d2 z -> 0 < all_pairs z /\ 0 < expected_numerator z.
  move=> zM dz; have [tz _ _] := zM; split; first by rewrite /all_pairs tz bin_gt0; lia.
  apply: (expected_positive zM isT isT); have := F_pairs z; rewrite F //.
  by move: (row_pairs z) (col_pairs z) (cell_pairs z) (d1 * d2) p0 => A B P p; lia.
have [Mx Nx] := pos x xM dx; have [My Ny] := pos y yM dy.
have My_eq : all_pairs y = all_pairs x by case: xM yM => tx _ _ [ty _ _]; rewrite /all_pairs tx ty.
rewrite !ARD_nat // ratio_le ?muln_gt0 // !F // My_eq leq_pmul2l ?leq_pmul2l //.
by rewrite !muln_gt0 Mx d20 (leq_trans d20 d21).
Qed.

Theorem largest_ARD_two_by_two d1 d2 x : 2 <= d2 <= d1 -> 9 <= d1 + d2 ->
  in_class (d1 + d2) x -> diagonals_are d1 d2 x ->
  in_class (d1 + d2) (largest_ARD_table d1 d2) /\ (ARD x <= ARD (largest_ARD_table d1 d2))%R.
Proof.
move=> d12 d9 xM dx; have [d22 d21] := andP d12; set y := largest_ARD_table d1 d2.
have yM : in_class (d1 + d2) y by apply: largest_ARD_table_in_class; lia.
split=> //; rewrite (ARD_same_diagonals _ _ xM yM dx); try lia; last first.
  by left; apply: largest_ARD_table_sums.
have := expected_numerator_EE x; have := expected_numerator_EE y.
have [_ R C] := xM; have := R ord0; have := R ord_max; have := C ord0; have := C ord_max.
rewrite /row_sum /col_sum !sum_two; move: dx; rewrite /diagonals_are /diagonal_sum /antidiagonal_sum => dx c1 c0 r1 r0.
have -> : y ord0 ord0 = d1 by [].
have -> : y ord0 ord_max = uphalf d2 by [].
have -> : y ord_max ord0 = d2./2 by [].
have -> : y ord_max ord_max = 0 by [].
have h2 : Z.of_nat d2./2 = (Z.of_nat d2 / 2)%integer.
  apply: (Z.div_unique _ 2 _ (Z.of_nat (odd d2))); first by left; case: (odd d2); lia.
  by have := odd_double_half d2; rewrite -mul2n; move: (odd d2) (d2./2) => b h; lia.
have h1 : Z.of_nat (uphalf d2) = (Z.of_nat d2 - Z.of_nat d2 / 2)%integer.
  by rewrite -h2 uphalf_half; have := odd_double_half d2; rewrite -mul2n; move: (odd d2) (d2./2) => b h; lia.
rewrite h1 h2 => ey ex.
have := @EE_least (Z.of_nat (x ord0 ord0)) (Z.of_nat (x ord0 ord_max)) (Z.of_nat (x ord_max ord0))
         (Z.of_nat (x ord_max ord_max)) (Z.of_nat d1) (Z.of_nat d2).
rewrite -ex -ey; lia.
Qed.

(* the same for one object on a diagonal, where that hook has an empty row *)
Theorem largest_ARD_one d1 x (y := two_by_two (d1 - 1) 1 0 1) : 6 <= d1 ->
  in_class (d1 + 1) x -> diagonals_are d1 1 x -> in_class (d1 + 1) y /\ (ARD x <= ARD y)%R.
Proof.
move=> d6 xM dx; have [e1 e2] : diagonal_sum y = d1 /\ antidiagonal_sum y = 1.
  by rewrite /diagonal_sum /antidiagonal_sum /y /two_by_two /=; split; lia.
have yM : in_class (d1 + 1) y.
  by split=> [|i|i]; rewrite ?total_two_by_two ?e1 ?e2 //; case: (two_indices i) => ->;
     rewrite /row_sum /col_sum sum_two /y /two_by_two /=; lia.
split=> //; rewrite (ARD_same_diagonals _ _ xM yM dx); try lia; last by left; split.
have := expected_numerator_EE x; have := expected_numerator_EE y.
have [_ R C] := xM; have := R ord0; have := R ord_max; have := C ord0; have := C ord_max.
rewrite /row_sum /col_sum !sum_two; move: dx; rewrite /diagonals_are /diagonal_sum /antidiagonal_sum => dx c1 c0 r1 r0.
have -> : y ord0 ord0 = d1 - 1 by [].
have -> : y ord0 ord_max = 1 by [].
have -> : y ord_max ord0 = 0 by [].
have -> : y ord_max ord_max = 1 by [].
have -> : Z.of_nat (d1 - 1) = (Z.of_nat d1 - 1)%integer by lia.
move=> ey ex.
have := @EE_one_least (Z.of_nat (x ord0 ord0)) (Z.of_nat (x ord0 ord_max)) (Z.of_nat (x ord_max ord0))
         (Z.of_nat (x ord_max ord_max)) (Z.of_nat d1).
rewrite -ex -ey; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The least ARD at given sums of the diagonals *)

(* the largest number of the parity of d1 that is at most d1 - 2 and 1 + the root of n + d2^2 - 2, rounded down *)
Definition least_ARD_width (d1 d2 : nat) : nat :=
  let w := minn (d1 - 2) (1 + Nat.sqrt (d1 + d2 + d2 ^ 2 - 2)) in w - (odd w (+) odd d1).

(* the nested table of the theorem *)
Definition least_ARD_table (d1 d2 : nat) : table 2 2 :=
  let p := least_ARD_width d1 d2 in two_by_two (d1 + p)./2 d2 0 (d1 - p)./2.

Lemma least_ARD_width_spec d1 d2 (p := least_ARD_width d1 d2) : 0 < d2 <= d1 -> 3 <= d1 + d2 ->
  [/\ odd p = odd d1, p + 2 <= d1, p.-1 * p.-1 + 2 <= d1 + d2 + d2 * d2
    & p + 4 <= d1 -> d1 + d2 + d2 * d2 <= (p + 1) * (p + 1) + 1].
Proof.
move=> /andP [d20 d21] n3; rewrite {}/p /least_ARD_width -mulnn.
set m := d1 + d2 + d2 * d2 - 2; set k := Nat.sqrt m.
have [k1 k2] : k * k <= m /\ m < (k + 1) * (k + 1).
  by have := Nat.sqrt_spec m (Nat.le_0_l m); rewrite -/k; move: k => k'; lia.
set w := minn _ _.
have [p pE] : exists p, p = w - (odd w (+) odd d1) by eexists.
rewrite -pE.
have wE : w = minn (d1 - 2) (1 + k) by [].
have po : odd p = odd d1.
  move: pE; case e : (odd w (+) odd d1) => pE; last first.
    by move: pE e; rewrite subn0 => ->; case: (odd w); case: (odd d1).
  have w0 : 0 < w.
    case: (posnP w) => // w0; move: e; rewrite w0 /= => d1o.
    have d12 : d1 <> 2 by move=> d1E; rewrite d1E in d1o.
    by move: wE; rewrite w0; clear -d12 d20 d21 n3; lia.
  by rewrite pE subn1; move: e; rewrite -[in odd w](prednK w0) /=; case: (odd w.-1); case: (odd d1).
have pw : p <= w <= p + 1 by move: pE; case: (_ (+) _) => /=; lia.
have mE : m + 2 = d1 + d2 + d2 * d2 by rewrite /m; lia.
have sq (a b : nat) : a <= b -> a * a <= b * b by move=> ab; apply: leq_mul.
split=> //; first by lia.
- have h : p.-1 <= k by lia.
  by have := sq _ _ h; lia.
- move=> p4; have h : k + 1 <= p + 1 by lia.
  by have := sq _ _ h; lia.
Qed.

Lemma least_ARD_table_sums d1 d2 : 0 < d2 <= d1 -> 3 <= d1 + d2 ->
  diagonal_sum (least_ARD_table d1 d2) = d1 /\ antidiagonal_sum (least_ARD_table d1 d2) = d2.
Proof.
move=> d12 n3; have [po pd _ _] := least_ARD_width_spec d12 n3.
rewrite /diagonal_sum /antidiagonal_sum /least_ARD_table /two_by_two /= addn0; split=> //.
move: (least_ARD_width d1 d2) po pd => p po pd.
have := odd_double_half (d1 + p); have := odd_double_half (d1 - p).
rewrite oddD oddB ?po ?addbb -?mul2n; last by lia.
by move: (_./2) (_./2) => u v; lia.
Qed.

Lemma least_ARD_table_corner d1 d2 : 0 < d2 <= d1 -> 3 <= d1 + d2 ->
  2 * least_ARD_table d1 d2 ord_max ord_max = d1 - least_ARD_width d1 d2.
Proof.
move=> d12 n3; have [po pd _ _] := least_ARD_width_spec d12 n3.
rewrite /least_ARD_table /two_by_two /=; have := odd_double_half (d1 - least_ARD_width d1 d2).
by rewrite oddB ?po ?addbb -?mul2n //; lia.
Qed.

Lemma least_ARD_table_in_class d1 d2 : 0 < d2 <= d1 -> 3 <= d1 + d2 ->
  in_class (d1 + d2) (least_ARD_table d1 d2).
Proof.
move=> d12 n3; have [e1 e2] := least_ARD_table_sums d12 n3; have [_ pd _ _] := least_ARD_width_spec d12 n3.
have a0 : 0 < (d1 + least_ARD_width d1 d2)./2 by rewrite half_gt0; lia.
have h0 : 0 < (d1 - least_ARD_width d1 d2)./2 by rewrite half_gt0; lia.
rewrite /least_ARD_table; set y := two_by_two _ _ _ _.
split; first by rewrite total_two_by_two e1 e2.
all: by move=> i; case: (two_indices i) => ->; rewrite /row_sum /col_sum sum_two /y /two_by_two /= ?addn0 ?add0n //; lia.
Qed.

(* the width in integers *)
Lemma wide_integers (p d1 d2 : nat) : p.-1 * p.-1 + 2 <= d1 + d2 + d2 * d2 -> 3 <= d1 + d2 ->
  ((Z.of_nat p - 1) * (Z.of_nat p - 1) + 2 <= Z.of_nat d1 + Z.of_nat d2 + Z.of_nat d2 * Z.of_nat d2)%integer.
Proof.
move=> wide n3; have d0 : 0 <= d2 * d2 by [].
case: p wide => [|q]; rewrite ?succnK => wide; first by lia.
have -> : (Z.of_nat q.+1 - 1 = Z.of_nat q)%integer by lia.
lia.
Qed.

Theorem least_ARD_two_by_two d1 d2 x : 0 < d2 <= d1 -> 3 <= d1 + d2 ->
  in_class (d1 + d2) x -> diagonals_are d1 d2 x ->
  in_class (d1 + d2) (least_ARD_table d1 d2) /\ (ARD (least_ARD_table d1 d2) <= ARD x)%R.
Proof.
move=> d12 n3 xM dx; set y := least_ARD_table d1 d2.
have yM : in_class (d1 + d2) y by apply: least_ARD_table_in_class.
split=> //; rewrite (ARD_same_diagonals d12 n3 yM xM _ dx); last by left; apply: least_ARD_table_sums.
have [y1 _] := least_ARD_table_sums d12 n3.
have [po pd wide widest] := least_ARD_width_spec d12 n3.
have := expected_numerator_EE x; have := expected_numerator_EE y.
have [_ R C] := xM; have := R ord0; have := R ord_max; have := C ord0; have := C ord_max.
rewrite /row_sum /col_sum !sum_two; move: dx; rewrite /diagonals_are /diagonal_sum /antidiagonal_sum => dx c1 c0 r1 r0.
have -> : y ord0 ord_max = d2 by [].
have -> : y ord_max ord0 = 0 by [].
have hE : 2 * y ord_max ord_max = d1 - least_ARD_width d1 d2 by apply: least_ARD_table_corner.
move: y1; rewrite /diagonal_sum -/y.
move: (y ord0 ord0) (y ord_max ord_max) (least_ARD_width d1 d2) hE po pd wide widest => a h p hE po pd wide widest aE.
have -> : Z.of_nat a = (Z.of_nat d1 - Z.of_nat h)%integer by lia.
move=> ey ex.
have := @EE_greatest (Z.of_nat d1) (Z.of_nat d2) (Z.of_nat h).
have -> : (Z.of_nat d1 - 2 * Z.of_nat h = Z.of_nat p)%integer by lia.
move=> greatest.
have := greatest _ _ _ _ _ (Z.of_nat (x ord0 ord0)) (Z.of_nat (x ord0 ord_max)) (Z.of_nat (x ord_max ord0))
         (Z.of_nat (x ord_max ord_max)).
rewrite -ex -ey => {}greatest.
have {}wide := wide_integers wide n3.
have {}widest : (Z.of_nat p + 2 <= Z.of_nat d1 - 2 -> Z.of_nat d1 + Z.of_nat d2 + Z.of_nat d2 * Z.of_nat d2 <=
    (Z.of_nat p + 1) * (Z.of_nat p + 1) + 1)%integer by clear -widest; lia.
move: greatest; move: (expected_numerator x) (expected_numerator y) => Ex Ey greatest.
suff : (16 * Z.of_nat Ex <= 16 * Z.of_nat Ey)%integer by clear; lia.
apply: greatest; clear -n3 d12 hE pd r0 r1 c0 c1 dx wide widest; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The value *)

Section Value.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* with p and q the differences on the two diagonals: 8 M^2 E *)
Definition ARD_divisor (n p q : int) : int :=
  (n * (n - 1)) * (n * (n - 1)) - ((q + p) * (q + p) - n) * ((q - p) * (q - p) - n).

Definition diagonal_difference (x : table 2 2) : int := (x ord0 ord0)%:Z - (x ord_max ord_max)%:Z.
Definition antidiagonal_difference (x : table 2 2) : int := (x ord0 ord_max)%:Z - (x ord_max ord0)%:Z.

Lemma expected_numerator_divisor (x : table 2 2) :
  8%:Z * (expected_numerator x)%:Z = ARD_divisor (total x)%:Z (diagonal_difference x) (antidiagonal_difference x).
Proof.
have := expected_numerator_EE x; rewrite EE_product.
rewrite /ARD_divisor /diagonal_difference /antidiagonal_difference total_two_by_two /diagonal_sum /antidiagonal_sum.
move: (expected_numerator x) (x ord0 ord0) (x ord0 ord_max) (x ord_max ord0) (x ord_max ord_max) => E a b c e.
have -> : (a + e + (b + c))%N%:Z = a%:Z + e%:Z + (b%:Z + c%:Z) by lia.
by cbv zeta; lia.
Qed.

Theorem ARD_two_by_two (x : table 2 2) (n := total x) : (1 < n)%N ->
  ARD x = (4 * (n * (n - 1) * (diagonal_sum x * antidiagonal_sum x)))%N%:R /
    (ARD_divisor n%:Z (diagonal_difference x) (antidiagonal_difference x))%:~R.
Proof.
move=> n1; rewrite -expected_numerator_divisor ARD_nat ?F_two_by_two; last by rewrite /all_pairs bin_gt0.
have -> : (8%:Z * (expected_numerator x)%:Z)%:~R = (4 * (2 * expected_numerator x))%N%:R :> rat.
  by rewrite (_ : 8%:Z * _ = (4 * (2 * expected_numerator x))%N%:Z) ?pmulrn //; lia.
have M2 : (2 * all_pairs x = n * (n - 1))%N.
  by have := double_all_pairs x; rewrite -/n -mulnn mulnBr muln1; lia.
have -> : (4 * (n * (n - 1) * (diagonal_sum x * antidiagonal_sum x)) =
  4 * (2 * (diagonal_sum x * antidiagonal_sum x) * all_pairs x))%N by rewrite -M2; lia.
by rewrite [in RHS]natrM [(4 * (2 * _))%N%:R]natrM -mulf_div divff ?mul1r.
Qed.

(* the least ARD at given sums of the diagonals, see [least_ARD_two_by_two] *)
Theorem least_ARD_value d1 d2 (n := (d1 + d2)%N) : (0 < d2 <= d1)%N -> (3 <= n)%N ->
  ARD (least_ARD_table d1 d2) =
  (4 * (n * (n - 1) * (d1 * d2)))%N%:R / (ARD_divisor n%:Z (least_ARD_width d1 d2)%:Z d2%:Z)%:~R.
Proof.
move=> d12 n3; have [s1 s2] := least_ARD_table_sums d12 n3; have corner := least_ARD_table_corner d12 n3.
have tn : total (least_ARD_table d1 d2) = n by rewrite total_two_by_two s1 s2.
rewrite ARD_two_by_two tn ?s1 ?s2; last by lia.
have -> : antidiagonal_difference (least_ARD_table d1 d2) = d2%:Z.
  by rewrite /antidiagonal_difference /least_ARD_table /two_by_two /= subr0.
have -> : diagonal_difference (least_ARD_table d1 d2) = (least_ARD_width d1 d2)%:Z.
  have [_ pd _ _] := least_ARD_width_spec d12 n3; move: s1 corner pd; rewrite /diagonal_sum /diagonal_difference.
  by move: (least_ARD_table _ _ _ _) (least_ARD_table _ _ _ _) (least_ARD_width d1 d2) => a e p; clear; lia.
by [].
Qed.
End Value.
